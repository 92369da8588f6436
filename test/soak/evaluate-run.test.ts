import { expect, test } from '@jest/globals';
import { createStatistics } from './client/statistics.ts';
import { evaluateRun } from './evaluate-run.ts';
import type { Sample } from './memory/sample-memory.ts';

const megabyte = 1024 * 1024;
const baseline = { cloud: 200 * megabyte, functions: 1500 * megabyte, java: 300 * megabyte };

/** Returns one memory sample per second. `more` returns the bytes above the baseline. */
const samples = (
  minutes: number,
  more: (second: number) => Partial<typeof baseline>,
  requestsPerSecond = 50,
): Sample[] =>
  Array.from({ length: minutes * 60 }, (_, second) => {
    const { cloud = 0, functions = 0, java = 0 } = more(second);
    return {
      milliseconds: second * 1000,
      requests: second * requestsPerSecond,
      memory: {
        cloud: baseline.cloud + cloud,
        functions: baseline.functions + functions,
        java: baseline.java + java,
        threads: 50,
      },
    };
  });

/** Returns the garbage in bytes at the given second. Garbage is collected every 5 minutes. */
const garbage = (second: number) => (second % 300) * 0.4 * megabyte;

function getFaults(figures: {
  samples?: Sample[];
  violations?: number;
  leftOver?: number;
  refused?: number;
  duration?: number;
}) {
  const statistics = createStatistics();
  for (let n = 0; n < 1000; n++) statistics.count('messages/send', 201, 10);
  for (let n = 0; n < (figures.refused ?? 0); n++) statistics.count('messages/send', 503, 10);
  const { faults } = evaluateRun({
    ...{ violations: 0, duration: 60_000, samples: [], conversations: 1, messages: 1 },
    table: { items: 1, deletedConversations: 0 },
    files: { objects: 0, items: 0, differences: [] },
    toPurge: 0,
    ...figures,
    statistics,
  });
  return faults;
}

test('a soak run without violations passes, with or without memory samples', () => {
  expect(getFaults({})).toEqual([]);
  expect(getFaults({ samples: samples(10, () => ({})), leftOver: 0 })).toEqual([]);
});

test('a soak run passes if one of about 1,000 requests gets 503, but fails if two do', () => {
  expect(getFaults({ refused: 1 })).toEqual([]);
  expect(getFaults({ refused: 2 })).toEqual(['2 of 1002 requests were refused or timed out']);
});

test('a soak run fails on violations and on remaining items of deleted conversations', () => {
  expect(getFaults({ violations: 3, leftOver: 7 })).toEqual([
    '3 violations',
    '7 items of deleted conversations are left',
  ]);
});

test('memory that varies with garbage collection does not count as growth', () => {
  const wave = samples(10, (second) => ({ cloud: garbage(second), functions: garbage(second) }));
  expect(getFaults({ samples: wave })).toEqual([]);
});

test('a soak run fails on a leak of 4 KiB per request, despite garbage collection', () => {
  const leak = (second: number) => 50 * 4096 * second;
  const both = samples(20, (second) => ({
    cloud: garbage(second) + leak(second),
    functions: garbage(second),
  }));
  expect(getFaults({ samples: both })).toEqual(['the memory of cloud grows']);
});

test('a memory increase during the first three minutes, while functions start, does not count as growth', () => {
  const warming = samples(10, (second) => ({
    functions: Math.min(0, second - 180) * 5 * megabyte,
  }));
  expect(getFaults({ samples: warming })).toEqual([]);
});

test('the memory of DynamoDB Local may grow by 3 KiB per request, but not by 20 KiB', () => {
  const withGrowth = (kilobytes: number) =>
    samples(20, (second) => ({ java: 50 * second * kilobytes * 1024 }));
  expect(getFaults({ samples: withGrowth(3) })).toEqual([]);
  expect(getFaults({ samples: withGrowth(20) })).toEqual(['the memory of java grows']);
});

test('growing memory does not fail a run of three minutes', () => {
  const growing = samples(3, (second) => ({ functions: second * megabyte }));
  expect(getFaults({ samples: growing })).toEqual([]);
});

test('a run of ten minutes fails if an operation was never requested, but a run of one minute does not', () => {
  expect(getFaults({ duration: 60_000 })).toEqual([]);
  const [fault, ...others] = getFaults({ duration: 10 * 60_000 });
  expect(others).toEqual([]);
  expect(fault).toMatch(/^never requested: .*business\/list/);
  expect(fault).not.toContain('messages/send');
});
