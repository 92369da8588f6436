import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createClient } from '../../client/src/index.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import {
  type ReceivedEvent,
  readSecret,
  runWebhooks,
  startPartner,
} from '../support/processes/webhook-partner.ts';
import { temporaryFolder } from './small-stack.ts';

const data = temporaryFolder();
const lines: string[] = [];
const partners: { stop(): void }[] = [];

const webhooks = (...parameters: string[]) => runWebhooks(data, ...parameters);

/** Adds an endpoint for the contact's conversations. Tests may replace its `getStatus`. */
async function addEndpoint(contact: string, types: string) {
  const endpoint = { getStatus: () => 200 };
  const partner = await startPartner(() => endpoint.getStatus());
  partners.push(partner);
  const added = await webhooks('add', partner.url, '--types', types, '--contact', contact);
  return Object.assign(endpoint, partner, readSecret(added));
}
type Endpoint = Awaited<ReturnType<typeof addEndpoint>>;

let cloud: Cloud;
let endpoints: Record<'ann' | 'cleo' | 'dora', Endpoint>;
beforeAll(async () => {
  cloud = await startTestCloud({ dataDirectory: data, log: (line) => lines.push(line) });
  // An endpoint may miss earlier events, because functions cache the endpoints for ten seconds.
  endpoints = {
    ann: await addEndpoint('ann', 'message.*'),
    cleo: await addEndpoint('cleo', 'message.created'),
    dora: await addEndpoint('dora', 'message.created'),
  };
});
afterAll(async () => {
  await cloud.stop();
  for (const partner of partners) partner.stop();
});

const verify = (secret: string, { headers, body }: ReceivedEvent) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    id: string;
    type: string;
    payload: Record<string, unknown>;
  };

const clientOf = async (contactId: string, groups: string[] = []) => {
  const token = await cloud.token(contactId, { groups });
  return createClient({ url: cloud.url, token: () => token });
};
const sendFrom = async (contactId: string, to: string, message: string) => {
  const client = await clientOf(contactId);
  const { id } = await client.conversations.create({ contact_id: to, distinct: true });
  return client.messages.send({ conversation_id: id, message });
};

describe('An endpoint', () => {
  test('receives the whole message with a Standard Webhooks signature, and receives a signature for each secret after a rotation', async () => {
    const endpoint = endpoints.ann;
    const { id, secret } = endpoint;
    const message = await sendFrom('ann', 'bob', 'Hello, partner!');
    await waitUntil(() => endpoint.received.length > 0);
    const [first] = endpoint.received;
    if (!first) throw new Error('nothing received');
    expect(first.headers['webhook-id']).toBe(`${message.id}-1`);
    expect(verify(secret, first)).toMatchObject({
      id: `${message.id}-1`,
      type: 'message.created',
      version: 1,
      payload: { id: message.id, message: 'Hello, partner!' },
    });

    const rotated = await webhooks('rotate', id);
    const { secret: other } = readSecret(rotated);
    expect([other === secret, secret === '', other === '']).toEqual([false, false, false]);
    const reply = await webhooks('test', id);
    expect(reply).toContain('The endpoint responded with status 200.\nThanks');
    const last = endpoint.received.at(-1);
    if (!last) throw new Error('nothing received');
    for (const key of [secret, other]) expect(verify(key, last).type).toBe('webhook.test');
    expect(await webhooks('show', id)).not.toContain('whsec_');
    await webhooks('remove', id, '--yes');
    expect(await webhooks('list')).not.toContain(id);
    expect(lines.join('\n')).not.toContain('Hello, partner!');
    expect(lines.join('\n')).not.toContain(secret);
  });

  test('that fails once receives the same bytes again', async () => {
    const endpoint = endpoints.cleo;
    endpoint.getStatus = () => (endpoint.received.length === 1 ? 500 : 204);
    await sendFrom('cleo', 'bob', 'Again');
    await waitUntil(() => endpoint.received.length >= 2);
    const [first, second] = endpoint.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await webhooks('remove', endpoint.id, '--yes');
  });

  test('that replies with 410 is disabled; after it is enabled again, a replay delivers the message’s current state', async () => {
    const endpoint = endpoints.dora;
    endpoint.getStatus = () => 410;
    const { id, secret } = endpoint;
    const client = await clientOf('dora');
    const message = await sendFrom('dora', 'bob', 'To be deleted');
    const letters = () =>
      [...cloud.queues].find(([name]) => name.startsWith('WebhookDeadLetters'))?.[1] ?? [];
    await waitUntil(() => letters().length === 1);
    expect(await webhooks('list')).toContain(`${id}  disabled`);
    expect(JSON.stringify(letters())).not.toContain('To be deleted');
    await client.messages.delete({ message_id: message.id });
    endpoint.getStatus = () => 200;
    expect(await webhooks('replay')).toContain(
      `Events queued again: 0\nThe endpoint ${id} is disabled, so its events remain in the dead-letter queue.`,
    );
    await webhooks('enable', id);
    expect(await webhooks('replay', id)).toContain('Events queued again: 1');
    await waitUntil(() => endpoint.received.length === 2);
    const replayed = endpoint.received[1];
    if (!replayed) throw new Error('nothing received');
    expect(verify(secret, replayed)).toMatchObject({
      type: 'message.created',
      payload: { id: message.id, deleted: true },
    });
    await webhooks('remove', id, '--yes');
  });

  test('whose URL is on another machine is refused', async () => {
    expect(await webhooks('add', 'https://example.com/hooks')).toContain(
      'The URL must begin with http://127.0.0.1, because this is the local cloud.',
    );
  });
});
