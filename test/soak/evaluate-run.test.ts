import { expect, test } from '@jest/globals';
import { createStatistics } from './client/statistics.ts';
import { evaluateRun } from './evaluate-run.ts';
import type { Sample } from './memory/sample-memory.ts';

const megabyte = 1024 * 1024;
const flat = { cloud: 200 * megabyte, functions: 1500 * megabyte, java: 300 * megabyte };

/** Returns one memory sample per second. `more` returns the bytes above the baseline. */
const samples = (
  minutes: number,
  more: (second: number) => Partial<typeof flat>,
  requestsASecond = 50,
): Sample[] =>
  Array.from({ length: minutes * 60 }, (_, second) => {
    const { cloud = 0, functions = 0, java = 0 } = more(second);
    return {
      milliseconds: second * 1000,
      requests: second * requestsASecond,
      memory: {
        cloud: flat.cloud + cloud,
        functions: flat.functions + functions,
        java: flat.java + java,
        threads: 50,
      },
    };
  });

/** Returns the bytes of garbage, which is collected every five minutes. */
const garbage = (second: number) => (second % 300) * 0.4 * megabyte;

function faultsOf(given: {
  samples?: Sample[];
  violations?: number;
  leftOver?: number;
  refused?: number;
  duration?: number;
}) {
  const statistics = createStatistics();
  for (let n = 0; n < 1000; n++) statistics.count('messages/send', 201, 10);
  for (let n = 0; n < (given.refused ?? 0); n++) statistics.count('messages/send', 503, 10);
  const { faults } = evaluateRun({
    ...{ violations: 0, duration: 60_000, samples: [], conversations: 1, messages: 1 },
    table: { items: 1, deletedConversations: 0 },
    files: { objects: 0, items: 0, differences: [] },
    toPurge: 0,
    ...given,
    statistics,
  });
  return faults;
}

test('a soak run without violations passes, with or without memory samples', () => {
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf({ samples: samples(10, () => ({})), leftOver: 0 })).toEqual([]);
});

test('a soak run passes if one of about 1,000 requests gets 503, but fails if two do', () => {
  expect(faultsOf({ refused: 1 })).toEqual([]);
  expect(faultsOf({ refused: 2 })).toEqual(['2 of 1002 requests were refused or timed out']);
});

test('a soak run fails on violations and on remaining items of deleted conversations', () => {
  expect(faultsOf({ violations: 3, leftOver: 7 })).toEqual([
    '3 violations',
    '7 items of deleted conversations are left',
  ]);
});

test('memory that varies with garbage collection does not count as growth', () => {
  const wave = samples(10, (second) => ({ cloud: garbage(second), functions: garbage(second) }));
  expect(faultsOf({ samples: wave })).toEqual([]);
});

test('a soak run fails on a leak of 4 KiB per request, despite garbage collection', () => {
  const leak = (second: number) => 50 * 4096 * second;
  const both = samples(20, (second) => ({
    cloud: garbage(second) + leak(second),
    functions: garbage(second),
  }));
  expect(faultsOf({ samples: both })).toEqual(['the memory of cloud grows']);
});

test('memory that increases only in the first three minutes, while functions start, does not count as growth', () => {
  const warming = samples(10, (second) => ({
    functions: Math.min(0, second - 180) * 5 * megabyte,
  }));
  expect(faultsOf({ samples: warming })).toEqual([]);
});

test('DynamoDB Local may grow by 3 KiB per request, but not by 20 KiB', () => {
  const keeping = (kilobytes: number) =>
    samples(20, (second) => ({ java: 50 * second * kilobytes * 1024 }));
  expect(faultsOf({ samples: keeping(3) })).toEqual([]);
  expect(faultsOf({ samples: keeping(20) })).toEqual(['the memory of java grows']);
});

test('growing memory does not fail a run of three minutes', () => {
  const growing = samples(3, (second) => ({ functions: second * megabyte }));
  expect(faultsOf({ samples: growing })).toEqual([]);
});

test('a run of ten minutes fails if an operation was never requested; a run of one minute does not', () => {
  expect(faultsOf({ duration: 60_000 })).toEqual([]);
  const [fault, ...others] = faultsOf({ duration: 10 * 60_000 });
  expect(others).toEqual([]);
  expect(fault).toMatch(/^never requested: .*business\/list/);
  expect(fault).not.toContain('messages/send');
});
