import { alignColumns } from '../../commands/cli/align-columns.ts';
import type { CloudOptions } from '../../local-cloud/cloud.ts';
import { type CatchUp, measureCatchUp } from './feed-catch-up.ts';
import { cell, milliseconds } from './latencies.ts';
import { withCloud } from './local-cloud.ts';
import { type Crowd, gatherCrowd } from './push-crowd.ts';

export interface LiveSizes {
  /** How many messages each crowd is sent. */
  sends: number;
  /** How many people listen in each crowd. */
  listeners: readonly number[];
  /** After how many events somebody comes back. */
  away: readonly number[];
}

/** Measures how soon a message is pushed to those who listen, and what it takes to read on from the feed; prints two tables. */
export async function benchmarkLive(
  { sends, listeners, away }: LiveSizes,
  options: Pick<CloudOptions, 'assembly'>,
  print: (text: string) => void,
): Promise<void> {
  const log = { lines: [] as string[] };
  await withCloud({ ...options, log: (line) => log.lines.push(line) }, async (cloud) => {
    const crowds: Crowd[] = [];
    try {
      for (const count of listeners) crowds.push(await gatherCrowd(cloud, count));
      // One after the other in turns, so that whatever else the machine does is in all of the numbers.
      for (let n = 0; n < sends; n += 1) for (const crowd of crowds) await crowd.send();
    } finally {
      for (const crowd of crowds) crowd.close();
    }
    print(formatPushes(crowds));
    print(formatCatchUps(await measureCatchUp(cloud, away, log)));
  });
}

const formatPushes = (crowds: readonly Crowd[]): string =>
  alignColumns(
    [
      ['', 'a send', '', 'push after the reply', '', ''],
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
      ['back after', 'pages', 'table calls', 'read units', 'in all', 'a page'],
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
