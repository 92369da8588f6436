import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, createClient, type LiveInbox, live } from '../../client/src/index.ts';
import { readAssembly } from '../../lib/assembly/synthesis.ts';
import { type Cloud, startCloud } from '../../lib/local/cloud.ts';
import type { DeliveryFault } from '../../lib/local/push/hub.ts';
import { env } from '../../shared/env.ts';
import { temporaryFolder } from '../lib/local/small-stack.ts';
import { until } from '../support/until.ts';

let cloud: Cloud;
const spoil: () => DeliveryFault | undefined = () => undefined;
const inboxes: LiveInbox[] = [];

beforeAll(async () => {
  cloud = await startCloud({
    port: 0,
    dataDirectory: temporaryFolder(),
    inMemory: true,
    assembly: await readAssembly(env('TEST_ASSEMBLY')),
    onDelivery: () => spoil(),
  });
}, 120_000);
afterAll(async () => {
  for (const one of inboxes) one.close();
  await cloud.stop();
});

const clientOf = (id: string, groups: string[] = []): Client =>
  createClient({ url: cloud.url, token: () => cloud.token(id, { groups }) });
const liveOf = (client: Client, options?: Parameters<typeof live>[1]) => {
  const inbox = live(client, options);
  inboxes.push(inbox);
  return inbox;
};

describe('Two people', () => {
  test('see each other’s messages within a moment', async () => {
    const [ann, bob] = [clientOf('ann'), clientOf('bob')];
    const inbox = liveOf(bob);
    await until(() => inbox.getSnapshot().status === 'live');
    const { id } = await ann.conversations.create({ contact_id: 'bob' });
    await ann.messages.send({ conversation_id: id, message: 'Hello' });
    await until(() => inbox.getSnapshot().conversations[0]?.unread_count === 1);
    const open = inbox.open(id);
    await until(() => open.getSnapshot().status === 'ready');
    await ann.messages.send({ conversation_id: id, message: 'Are you there?' });
    await until(() => open.getSnapshot().messages.length === 2);
    await open.send({ message: 'Yes' });
    expect(open.getSnapshot().messages.map((one) => one.message)).toEqual([
      'Yes',
      'Are you there?',
      'Hello',
    ]);
    console.log(JSON.stringify(inbox.getSnapshot(), null, 1));
  });
});
