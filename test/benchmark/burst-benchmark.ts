import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { alignColumns } from '../../commands/cli/align-columns.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { Live } from '../../shared/contract/resources/live.ts';
import { cell } from './latencies.ts';
import { createPerson } from './local-cloud.ts';
import { gatherCrowd } from './push-crowd.ts';
import { setTableVariables } from './table-variables.ts';

export interface Burst {
  messages: number;
  /** Seconds from the first message until the feed has all messages. */
  seconds: number;
  /** Milliseconds from a send's reply to the message's push, in another group with one listener. */
  quiet: { before: number[]; during: number[] };
}

const quietSends = 20;
const pauseMilliseconds = 100;

/**
 * Stores many messages in one group, while another user sends messages to a listener in another
 * group.
 */
export async function measureBurst(cloud: Cloud, messages: number): Promise<Burst> {
  setTableVariables(cloud);
  const { seedMessages } = await import('../support/seeds/seed-messages.ts');
  const member = await createPerson(cloud, 'burst-sender', ['burst']);
  const conversation = await member.post('conversations', { group_id: 'burst' });
  const quiet = await gatherCrowd(cloud, 1, 'quiet');
  const getSequence = async () => {
    const { channels } = v.parse(Live, await (await member.get('/v1/live')).json());
    return channels.find(({ group_id }) => group_id === 'burst')?.place ?? 0;
  };
  try {
    for (let n = 0; n < quietSends; n += 1) {
      await quiet.send();
      await sleep(pauseMilliseconds);
    }
    const before = quiet.times.pushes.splice(0);
    const target = (await getSequence()) + messages;
    const start = performance.now();
    let isDrained = false;
    const sending = (async () => {
      do {
        await quiet.send();
        await sleep(pauseMilliseconds);
      } while (!isDrained);
    })();
    await seedMessages(conversation, 'burst-sender', messages);
    while ((await getSequence()) < target) await sleep(pauseMilliseconds);
    const seconds = (performance.now() - start) / 1000;
    isDrained = true;
    await sending;
    return { messages, seconds, quiet: { before, during: quiet.times.pushes } };
  } finally {
    quiet.close();
  }
}

export const formatBurst = ({ messages, seconds, quiet }: Burst): string =>
  alignColumns(
    [
      ['a burst in one group', 'seconds', 'per second'],
      [`${messages} messages`, seconds.toFixed(1), (messages / seconds).toFixed(0)],
      ['push to a quiet pair', 'median', '99 %'],
      ...Object.entries(quiet).map(([when, times]) => [
        `${when} the burst`,
        cell(times, 0.5),
        cell(times, 0.99),
      ]),
    ],
    0,
  ).join('\n');
