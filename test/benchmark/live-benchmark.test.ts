import { expect } from '@jest/globals';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { env } from '../../shared/env.ts';
import { thoroughTest } from '../support/setup/sample-size.ts';
import { benchmarkLive } from './live-benchmark.ts';

/** Splits a line at two or more spaces, because a cell may contain a number and its unit. */
const cells = (line: string | undefined) => line?.trim().split(/ {2,}/) ?? [];

thoroughTest(
  'The live benchmark reports push latencies and feed catch-up without missing values',
  async () => {
    const printed: string[] = [];
    await benchmarkLive(
      { sends: 2, listeners: [1, 3], away: [3, 101], burst: 60 },
      { assembly: await readAssembly(env('TEST_ASSEMBLY')) },
      (text) => printed.push(text),
    );
    const [pushes = [], returns = [], burst = []] = printed.map((text) =>
      text.split('\n').map(cells),
    );
    const time = expect.stringMatching(/^\d+\.\d ms$/);
    expect(pushes.slice(2)).toEqual([
      ['1', time, time, time, time, '0'],
      ['3', time, time, time, time, '0'],
    ]);
    const count = expect.stringMatching(/^[1-9]\d*(\.5)?$/);
    expect(returns.slice(1)).toEqual([
      ['3 events', '1', count, count, time, time],
      ['101 events', '2', count, count, time, time],
    ]);
    expect(burst).toEqual([
      ['a burst in one group', 'seconds', 'per second'],
      ['60 messages', expect.stringMatching(/^\d+\.\d$/), expect.stringMatching(/^\d+$/)],
      ['push to a quiet pair', 'median', '99 %'],
      ['before the burst', time, time],
      ['during the burst', time, time],
    ]);
  },
);
