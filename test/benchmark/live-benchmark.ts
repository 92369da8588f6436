import { alignColumns } from '../../commands/cli/align-columns.ts';
import type { CloudOptions } from '../../local-cloud/cloud.ts';
import { formatBurst, measureBurst } from './burst-benchmark.ts';
import { type CatchUp, measureCatchUp } from './feed-catch-up.ts';
import { cell, milliseconds } from './latencies.ts';
import { withCloud } from './local-cloud.ts';
import { type Crowd, gatherCrowd } from './push-crowd.ts';

export interface LiveSizes {
  /** Number of messages sent to each group. */
  sends: number;
  /** Listeners per group. Each number is measured in a separate group. */
  listeners: readonly number[];
  /** Numbers of missed events, each measured separately. */
  away: readonly number[];
  /** Number of messages in a burst in one group. */
  burst: number;
}

/** Measures push latency, the cost of catching up on a feed, and a burst. Prints three tables. */
export async function benchmarkLive(
  { sends, listeners, away, burst }: LiveSizes,
  options: Pick<CloudOptions, 'assembly'>,
  print: (text: string) => void,
): Promise<void> {
  const log = { lines: [] as string[] };
  await withCloud({ ...options, log: (line) => log.lines.push(line) }, async (cloud) => {
    const crowds: Crowd[] = [];
    try {
      for (const count of listeners) crowds.push(await gatherCrowd(cloud, count));
      // Alternates between groups, so that other load on the machine affects all results equally.
      for (let n = 0; n < sends; n += 1) for (const crowd of crowds) await crowd.send();
    } finally {
      for (const crowd of crowds) crowd.close();
    }
    print(formatPushes(crowds));
    print(formatCatchUps(await measureCatchUp(cloud, away, log)));
    print(formatBurst(await measureBurst(cloud, burst)));
  });
}

const formatPushes = (crowds: readonly Crowd[]): string =>
  alignColumns(
    [
      ['', 'send', '', 'push after the reply', '', ''],
      ['listeners', 'median', '99 %', 'median', '99 %', 'missing'],
      ...crowds.map(({ listeners, times: { sends, pushes }, missing }) => [
        `${listeners}`,
        ...[sends, pushes].flatMap((times) => [cell(times, 0.5), cell(times, 0.99)]),
        `${missing()}`,
      ]),
    ],
    0,
  ).join('\n');

const formatCatchUps = (returns: readonly CatchUp[]): string =>
  alignColumns(
    [
      ['missed', 'pages', 'table calls', 'read units', 'total', 'per page'],
      ...returns.map((one) => [
        `${one.events} events`,
        `${one.pages}`,
        `${one.calls}`,
        `${one.readUnits}`,
        milliseconds(one.milliseconds),
        milliseconds(one.milliseconds / one.pages),
      ]),
    ],
    0,
  ).join('\n');
