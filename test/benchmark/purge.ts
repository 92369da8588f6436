import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { commandNamed, run } from '../../lib/command/command.ts';
import { wholeNumberFrom } from '../../lib/command/kinds.ts';
import { type Cloud, startCloud } from '../../lib/local/cloud.ts';
import { localService } from '../../lib/running/stage.ts';
import { compare } from './latencies.ts';

const people = 4;
const quietSeconds = 30;

const Created = v.object({ id: v.string() });

const more =
  'People send to conversations of their own while nothing is purged and while something is, in one run: what counts is the ratio.';

const command = commandNamed('benchmark', more)
  .option('--messages <number>', 'of the conversation', wholeNumberFrom(1, 10_000_000), 100_000)
  .action(async ({ messages }) => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'messaging-benchmark-'));
    const cloud = await startCloud({ port: 0, inMemory: true, dataDirectory });
    try {
      await measure(cloud, messages);
    } finally {
      await cloud.stop();
      await rm(dataDirectory, { recursive: true });
    }
  });

async function measure(
  { url, token, tableEndpoint, tableName }: Cloud,
  count: number,
): Promise<void> {
  // The table's code, as the functions have it, finds in its environment where the table is.
  const { endpoint, region, credentials } = localService(tableEndpoint);
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials?.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey,
  });
  const { seedMessages } = await import('../support/seed.ts');
  const { getItem, queryPage } = await import('../../shared/table/calls/access.ts');
  const { conversationKey } = await import('../../shared/table/keys/keys.ts');

  const headers = { Authorization: `Bearer ${await token('ann')}` };
  const post = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields);
    const response = await fetch(`${url}/v1/${path}`, { method: 'POST', headers, body });
    return v.parse(Created, await response.json()).id;
  };
  const large = await post('conversations', { contact_id: 'bob' });
  await seedMessages(large, 'ann', count);
  console.log(`A conversation has ${count} messages.`);
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
    const id = await post('conversations', { contact_id: `contact-${n}` });
    for (let during = phase; during; during = phase) {
      const start = performance.now();
      await post('messages', { conversation_id: id, message: 'Hello' });
      times[during].push(performance.now() - start);
    }
  });

  await sleep(quietSeconds * 1000);
  const address = `${url}/v1/conversations/${large}`;
  const start = performance.now();
  const { status } = await fetch(address, { method: 'DELETE', headers });
  const replied = (performance.now() - start).toFixed(0);
  const { status: after } = await fetch(address, { headers });
  console.log(`DELETE answers ${status} after ${replied} ms, GET then ${after}.`);

  let working = 0;
  for (let last = await firstMessage(); await getItem({ pk, sk }); ) {
    await sleep(1000);
    const now = await firstMessage();
    // Between two of the worker's invocations it is quiet again.
    phase = now === last ? 'quiet' : 'purging';
    if (phase === 'purging') working += 1;
    last = now;
  }
  phase = 'quiet';
  console.log(`The partition is empty after some ${working} s of work.`);
  await sleep(quietSeconds * 1000);
  phase = undefined;
  await Promise.all(live);
  console.log(compare(times.quiet, times.purging));
}

await run(command);
