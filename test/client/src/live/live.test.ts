import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Client,
  type ClientOptions,
  createClient,
  type LiveInbox,
  type LiveOptions,
  live,
  NoEventsError,
  type OpenConversation,
} from '../../../../client/src/index.ts';
import type { Cloud } from '../../../../local-cloud/cloud.ts';
import type { DeliveryFault } from '../../../../local-cloud/push/event-hub.ts';
import type { OnFrame } from '../../../../local-cloud/push/serve-connection.ts';
import { scenarioEnvironment } from '../../../acceptance/support/scenario-environment.ts';
import { runScenarios } from '../../../support/processes/record-scenarios.ts';
import { startTestCloud } from '../../../support/processes/start-test-cloud.ts';
import { waitUntil } from '../../../support/processes/wait-until.ts';
import { selectSize, thoroughTest } from '../../../support/setup/sample-size.ts';

let cloud: Cloud;
let injectFault: () => DeliveryFault | undefined = () => undefined;
let override: OnFrame = () => undefined;
const inboxes: LiveInbox[] = [];

beforeAll(async () => {
  cloud = await startTestCloud({
    onDelivery: () => injectFault(),
    onFrame: (frame) => override(frame),
  });
});
afterAll(async () => {
  for (const one of inboxes) one.close();
  await cloud.stop();
});

const clientOf = (id: string, groups: string[], options: Partial<ClientOptions> = {}): Client =>
  createClient({ url: cloud.url, token: () => cloud.token(id, { groups }), ...options });
const liveOf = (client: Client, options?: LiveOptions) => {
  const inbox = live(client, options);
  inboxes.push(inbox);
  return inbox;
};
const isLive = (inbox: LiveInbox) => waitUntil(() => inbox.getSnapshot().status === 'live');
const expand = ['contact', 'last_message', 'unread_count'] as const;

/** Keeps only `id` and `username` of contacts. No event reports changes to the other fields. */
const timeless = (shown: unknown): unknown =>
  JSON.parse(
    JSON.stringify(shown, (name, value) =>
      name === 'contact' && value ? { id: value.id, username: value.username } : value,
    ),
  );

/**
 * Waits for the stores to equal the API's lists. Fails the test if the stores still differ from the
 * lists.
 */
async function isAsListed(client: Client, inbox: LiveInbox, ...opened: OpenConversation[]) {
  const differences = async () => {
    const { conversations, hasMore } = inbox.getSnapshot();
    const limit = Math.max(1, conversations.length);
    const page = await client.conversations.list({ limit, expand: [...expand] }).page();
    const pairs: [unknown, unknown][] = [
      [
        [conversations, hasMore],
        [page.data, page.has_more],
      ],
    ];
    for (const one of opened) {
      const { messages } = one.getSnapshot();
      const params = { conversation_id: one.id, limit: Math.max(1, messages.length), peek: true };
      pairs.push([messages, (await client.messages.list(params).page()).data]);
    }
    return pairs.map(([shown, listed]) => [timeless(shown), timeless(listed)]);
  };
  const isSame = async () =>
    (await differences()).every(([one, other]) => JSON.stringify(one) === JSON.stringify(other));
  await waitUntil(isSame).catch(() => {});
  for (const [shown, listed] of await differences()) expect(shown).toEqual(listed);
}

describe('A live inbox', () => {
  test('shows changes by its user and by other users', async () => {
    const [nora, omar] = [clientOf('nora', []), clientOf('omar', [])];
    const inbox = liveOf(omar);
    await isLive(inbox);
    const { id } = await nora.conversations.create({ contact_id: 'omar' });
    const first = await nora.messages.send({ conversation_id: id, message: 'Hello' });
    await waitUntil(() => inbox.getSnapshot().conversations[0]?.unread_count === 1);
    const open = inbox.open(id);
    await waitUntil(() => open.getSnapshot().status === 'ready');
    await nora.messages.send({ conversation_id: id, message: 'Are you there?' });
    await waitUntil(() => open.getSnapshot().messages.length === 2);
    await open.send({ message: 'Yes' });
    expect(open.getSnapshot().messages.map((one) => one.message)).toEqual([
      'Yes',
      'Are you there?',
      'Hello',
    ]);
    await open.markRead();
    expect(inbox.getSnapshot().conversations[0]?.unread_count).toBe(0);

    await inbox.apply(omar.messages.update({ message_id: first.id, reactions: { ok: ['omar'] } }));
    expect(open.getSnapshot().messages.at(-1)?.reactions).toEqual([{ ok: ['omar'] }]);
    await nora.messages.delete({ message_id: first.id });
    await waitUntil(() => open.getSnapshot().messages.length === 2);
    await isAsListed(omar, inbox, open);
    await nora.conversations.delete({ conversation_id: id });
    await waitUntil(() => open.getSnapshot().status === 'gone');
    expect(inbox.getSnapshot().conversations).toEqual([]);
  });

  test('converges to the API’s lists even if pushes are lost, late or rejected, and connections drop', async () => {
    const [dora, emil] = [clientOf('dora', ['crew']), clientOf('emil', ['crew'])];
    const inbox = liveOf(emil, { conversations: { limit: 3 }, messagesPerPage: 3 });
    await isLive(inbox);
    const { id } = await dora.conversations.create({ group_id: 'crew' });
    const open = inbox.open(id);
    let n = 0;
    injectFault = () => {
      n += 1;
      if (n % 3 === 0) return 'lose';
      if (n % 7 === 0) return 'fail';
      return n % 5 === 0 ? sleep(300, undefined, { ref: false }) : undefined;
    };
    for (let m = 0; m < selectSize(8, 40); m += 1) {
      const { id: other } = await dora.conversations.create({ contact_id: 'emil' });
      await dora.messages.send({ conversation_id: other, message: `${m}` });
      const sent = await dora.messages.send({ conversation_id: id, message: `${m}` });
      if (m % 3 === 1) await dora.messages.delete({ message_id: sent.id });
      if (m % 4 === 2) cloud.push?.dropConnections();
    }
    injectFault = () => undefined;
    await dora.messages.send({ conversation_id: id, message: 'last' });
    await isAsListed(emil, inbox, open);
  });

  test('retries subscriptions that the push service refused with LimitExceededError', async () => {
    const [ines, jon] = [clientOf('ines', ['choir']), clientOf('jon', ['choir'])];
    const limit = { errorType: 'LimitExceededError', message: 'Too many.' };
    const errorFrames = [
      (id: unknown) => ({ type: 'error', id, errors: [limit] }),
      (id: unknown) => ({ type: 'subscribe_error', id, errors: [limit] }),
    ];
    const subscribed: unknown[] = [];
    override = ({ type, id, channel }) => {
      if (type !== 'subscribe') return undefined;
      subscribed.push(channel);
      return errorFrames.shift()?.(id);
    };
    const inbox = liveOf(jon);
    await isLive(inbox);
    const { id } = await ines.conversations.create({ contact_id: 'jon' });
    const choir = await ines.conversations.create({ group_id: 'choir' });
    await waitUntil(() => inbox.getSnapshot().conversations.length === 2);
    const shown = inbox.getSnapshot().conversations.map((one) => one.id);
    expect(new Set(shown)).toEqual(new Set([id, choir.id]));
    expect(errorFrames).toEqual([]);
    // The client subscribed to at least two channels, and retried two subscriptions.
    await waitUntil(() => subscribed.length >= 4);
    override = () => undefined;
  });

  test('fails with NoEventsError if the stage has events disabled', async () => {
    const client = clientOf('gus', [], {
      fetch: async (url, init) => fetch(url.replace('/v1/live', '/v1/nothing'), init),
    });
    const inbox = liveOf(client);
    await waitUntil(() => inbox.getSnapshot().status === 'failed');
    expect(inbox.getSnapshot().error).toBeInstanceOf(NoEventsError);
  });

  test('shows new messages by polling if `WebSocket` is null', async () => {
    const [ivo, hal] = [clientOf('ivo', []), clientOf('hal', [])];
    const inbox = liveOf(hal, { WebSocket: null, pollInterval: 200 });
    await waitUntil(() => inbox.getSnapshot().status === 'polling');
    const { id } = await ivo.conversations.create({ contact_id: 'hal' });
    await ivo.messages.send({ conversation_id: id, message: 'Hello' });
    await waitUntil(() => inbox.getSnapshot().conversations[0]?.last_message?.message === 'Hello');
    expect(inbox.getSnapshot().status).toBe('polling');
  });
});

thoroughTest(
  'The scenarios in test/acceptance succeed through the client',
  async () => {
    const environment = { ...(await scenarioEnvironment(cloud)), SCENARIOS_BY: 'client' };
    const { failed, report } = await runScenarios(environment);
    if (failed) throw new Error(report);
  },
  240_000,
);
