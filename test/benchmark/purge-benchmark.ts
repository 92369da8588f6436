import { setTimeout as sleep } from 'node:timers/promises';
import { alignColumns } from '../../commands/cli/align-columns.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { cell, percentile } from './latencies.ts';
import { createPerson, withCloud } from './local-cloud.ts';
import { setTableVariables } from './table-variables.ts';

const people = 4;
const quietSeconds = 30;
const fractions = [0.5, 0.9, 0.99];

/** Measures how long sends take with and without a purge of another, large conversation. */
export const benchmarkPurge = (messages: number): Promise<void> =>
  withCloud({}, (cloud) => measure(cloud, messages));

async function measure(cloud: Cloud, count: number): Promise<void> {
  setTableVariables(cloud);
  const { seedMessages } = await import('../support/seeds/seed-messages.ts');
  const { getItem, queryPage } = await import('../../shared/table/calls/access.ts');
  const { conversationKey } = await import('../../shared/table/keys/keys.ts');

  const ann = await createPerson(cloud, 'ann');
  const large = await ann.post('conversations', { contact_id: 'bob' });
  await seedMessages(large, 'ann', count);
  console.log(`The large conversation has ${count} messages.`);
  const { pk, sk } = conversationKey(large);
  const firstMessage = async () => {
    const { items } = await queryPage({
      KeyConditionExpression: 'pk = :pk AND sk > :sk',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
      Limit: 1,
    });
    return items[0]?.sk;
  };

  const times = { quiet: [] as number[], purging: [] as number[] };
  let phase: keyof typeof times | undefined = 'quiet';
  const live = Array.from({ length: people }, async (_, n) => {
    const id = await ann.post('conversations', { contact_id: `contact-${n}` });
    for (let during = phase; during; during = phase) {
      const start = performance.now();
      await ann.send(id, 'Hello');
      times[during].push(performance.now() - start);
    }
  });

  await sleep(quietSeconds * 1000);
  await deleteConversation(`${cloud.url}/v1/conversations/${large}`, ann.token);

  let working = 0;
  for (let last = await firstMessage(); await getItem({ pk, sk }); ) {
    await sleep(1000);
    const now = await firstMessage();
    // No progress means that the worker is waiting for its next invocation.
    phase = now === last ? 'quiet' : 'purging';
    if (phase === 'purging') working += 1;
    last = now;
  }
  phase = 'quiet';
  console.log(`The partition is empty after about ${working} s of work.`);
  await sleep(quietSeconds * 1000);
  phase = undefined;
  await Promise.all(live);
  console.log(compare(times.quiet, times.purging).join('\n'));
}

async function deleteConversation(url: string, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const start = performance.now();
  const { status } = await fetch(url, { method: 'DELETE', headers });
  const replied = (performance.now() - start).toFixed(0);
  const { status: after } = await fetch(url, { headers });
  console.log(`DELETE returned ${status} after ${replied} ms; GET then returned ${after}.`);
}

const compare = (quiet: number[], purging: number[]) =>
  alignColumns(
    [
      ['a send', 'median', '90 %', '99 %'],
      [`quiet (${quiet.length})`, ...fractions.map((fraction) => cell(quiet, fraction))],
      [`purging (${purging.length})`, ...fractions.map((fraction) => cell(purging, fraction))],
      [
        'ratio',
        ...fractions.map((one) => (percentile(purging, one) / percentile(quiet, one)).toFixed(2)),
      ],
    ],
    1,
  );
