import { describe, expect, test } from '@jest/globals';
import { type LiveOptions, live } from '../../client/src/index.ts';
import type { SimulatedConversation } from './simulation/simulated-conversations.ts';
import { advanceTime, createSimulation, useSimulatedTime } from './simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;
const retrieved = /GET .v1.conversations.\w+/;
const listed = /GET .v1.conversations$/;

/** Starts Ann's inbox after each of `people` users has sent her a message. */
async function listening(people: number, options: LiveOptions = {}, delay = minute) {
  const { service, network, client } = createSimulation(7);
  const talks: SimulatedConversation[] = [];
  for (let n = 0; n < people; n += 1) {
    const talk = service.create(`person-${n}`, { contact: 'ann' });
    service.send(`person-${n}`, talk, 'first');
    talks.push(talk);
    await advanceTime(second);
  }
  const inbox = live(client, { WebSocket: network.WebSocket, ...options });
  await advanceTime(delay);
  const talk = (n: number) => {
    const one = talks[n];
    if (!one) throw new Error('The conversation number is out of range.');
    return one;
  };
  return {
    service,
    network,
    client,
    inbox,
    idOf: (n: number) => talk(n).id,
    sendText: (n: number, text: string) => service.send(`person-${n}`, talk(n), text),
    /** Sends a request from Ann's second device. */
    sendFromOtherDevice: (method: string, path: string, body?: object) =>
      service.respond('ann', method, `/v1/${path}`, body),
    shown: (n: number) => inbox.getSnapshot().conversations.find(({ id }) => id === talk(n).id),
    delayReply: (request: RegExp, by: number) => {
      network.conditions.replyDelay = (one) => (request.test(one) ? by : 0);
    },
    /** Waits for a matching request, then 50 ms for the service to compute the reply. */
    waitForReply: async (request: RegExp) => {
      const before = network.requests.length;
      const hasArrived = () => network.requests.slice(before).some((one) => request.test(one));
      for (let n = 0; n < 6000 && !hasArrived(); n += 1) await advanceTime(10);
      expect(network.requests.slice(before)).toContainEqual(expect.stringMatching(request));
      await advanceTime(50);
    },
    /**
     * Ends the delays, waits a minute, checks that the store equals the API's list, and closes the
     * inbox.
     */
    expectListed: async () => {
      network.conditions.replyDelay = () => 0;
      await advanceTime(minute);
      const { conversations } = inbox.getSnapshot();
      const params = {
        expand: ['contact', 'last_message', 'unread_count'] as const,
        ...options.conversations,
        limit: Math.max(1, conversations.length),
      };
      const page = client.conversations.list(params).page();
      await advanceTime(second);
      const { data, has_more } = await page;
      expect(inbox.getSnapshot()).toMatchObject({ conversations: data, hasMore: has_more });
      inbox.close();
    },
  };
}

describe('A conversation that changes while the client requests it', () => {
  test('counts a message that arrives before the reply', async () => {
    const { idOf, sendText, sendFromOtherDevice, delayReply, waitForReply, shown, expectListed } =
      await listening(1);
    // Ann reads the messages on another device, so the client must retrieve the count.
    delayReply(retrieved, 5 * second);
    sendFromOtherDevice('GET', `messages?conversation_id=${idOf(0)}`);
    await waitForReply(retrieved);
    sendText(0, 'second');
    await advanceTime(20 * second);
    expect(shown(0)?.unread_count).toBe(1);
    await expectListed();
  });

  test('counts a message once if the service stores it between reading the last message and counting unread messages', async () => {
    const { service, sendText, waitForReply, shown, expectListed } = await listening(1);
    const { id } = sendText(0, 'second');
    await advanceTime(minute);
    // A deletion makes the client retrieve the count.
    service.respond('person-0', 'DELETE', `/v1/messages/${id}`, {});
    service.beforeCounting = () => {
      service.beforeCounting = () => {};
      sendText(0, 'third');
    };
    await waitForReply(retrieved);
    await advanceTime(minute);
    expect(shown(0)?.unread_count).toBe(2);
    await expectListed();
  });

  test('counts a message once even if `last_message` is not expanded', async () => {
    const options: LiveOptions = { conversations: { expand: ['unread_count'] } };
    const { service, network, sendText, shown, waitForReply, expectListed } = await listening(
      1,
      options,
      0,
    );
    service.beforeCounting = () => {
      service.beforeCounting = () => {};
      sendText(0, 'second');
    };
    await waitForReply(listed);
    expect(shown(0)?.unread_count).toBe(2);
    network.conditions.isOffline = true;
    network.cut();
    await advanceTime(20 * second);
    network.conditions.isOffline = false;
    await expectListed();
  });

  test('has the flags of a later event even if the client expands no fields', async () => {
    const options: LiveOptions = { conversations: { limit: 1, expand: [] } };
    const { inbox, idOf, sendFromOtherDevice, delayReply, waitForReply, expectListed, shown } =
      await listening(2, options);
    delayReply(listed, 5 * second);
    const more = inbox.loadMore();
    await waitForReply(listed);
    sendFromOtherDevice('PUT', `conversations/${idOf(0)}`, { is_muted: true });
    await advanceTime(10 * second);
    await more;
    expect(shown(0)).toBeDefined();
    await expectListed();
  });

  test('keeps the state from a later request whose reply arrives first', async () => {
    const options: LiveOptions = { conversations: { limit: 1 } };
    const { inbox, sendText, delayReply, waitForReply, expectListed } = await listening(2, options);
    delayReply(listed, 5 * second);
    const more = inbox.loadMore();
    await waitForReply(listed);
    // The conversation is not shown yet, so the client retrieves it.
    sendText(0, 'second');
    await advanceTime(10 * second);
    await more;
    await expectListed();
  });
});

describe('A page whose conversations change while the client requests it', () => {
  test('shows all its conversations even if the last one moves to the top', async () => {
    const options: LiveOptions = { conversations: { limit: 2 } };
    const { inbox, sendText, delayReply, waitForReply, expectListed, shown } = await listening(
      4,
      options,
    );
    delayReply(listed, 5 * second);
    const more = inbox.loadMore();
    await waitForReply(listed);
    sendText(0, 'second');
    await advanceTime(10 * second);
    await more;
    expect([0, 1, 2, 3].map((n) => shown(n) !== undefined)).toEqual([true, true, true, true]);
    await expectListed();
  });

  test('is followed by the next page even if its last conversation is deleted', async () => {
    const options: LiveOptions = { conversations: { limit: 2 } };
    const { inbox, idOf, sendFromOtherDevice, delayReply, waitForReply, expectListed } =
      await listening(6, options);
    delayReply(listed, 5 * second);
    const more = inbox.loadMore();
    await waitForReply(listed);
    sendFromOtherDevice('DELETE', `conversations/${idOf(2)}`);
    await advanceTime(10 * second);
    await more;
    expect(inbox.getSnapshot()).toMatchObject({ hasMore: true });
    expect(inbox.getSnapshot().conversations).toHaveLength(3);
    const others = inbox.loadMore();
    await advanceTime(10 * second);
    await others;
    expect(inbox.getSnapshot().conversations).toHaveLength(5);
    await expectListed();
  });
});

describe('An opened conversation', () => {
  test.each(['opening', 'marking'])(
    'keeps a message unread if it arrives after the service sets the read position: %s',
    async (trigger) => {
      const { inbox, idOf, sendText, shown, delayReply, waitForReply, expectListed } =
        await listening(1);
      const open = inbox.open(idOf(0), { peek: trigger === 'marking' });
      if (trigger === 'marking') await advanceTime(minute);
      const request = trigger === 'opening' ? /GET .v1.messages$/ : /PUT/;
      delayReply(request, 20 * second);
      const marked = trigger === 'marking' ? open.markRead() : undefined;
      await waitForReply(request);
      sendText(0, 'second');
      await advanceTime(30 * second);
      await marked;
      expect(shown(0)?.unread_count).toBe(1);
      open.close();
      await expectListed();
    },
  );
});

test('reload() includes edits, deletions and new messages that arrive during its request', async () => {
  const { service, inbox, idOf, sendText, delayReply, waitForReply, expectListed } =
    await listening(1);
  const [edited, third] = [sendText(0, 'second'), sendText(0, 'third')];
  const open = inbox.open(idOf(0), { peek: true });
  await advanceTime(minute);
  delayReply(/GET .v1.messages$/, 5 * second);
  const reloading = open.reload();
  await waitForReply(/GET .v1.messages$/);
  service.respond('person-0', 'PUT', `/v1/messages/${edited.id}`, { message: 'edited' });
  service.respond('person-0', 'DELETE', `/v1/messages/${third.id}`, {});
  sendText(0, 'fourth');
  await advanceTime(10 * second);
  await reloading;
  expect(open.getSnapshot().messages.map(({ message }) => message)).toEqual([
    'fourth',
    'edited',
    'first',
  ]);
  await expectListed();
});

test('The list stays in order if an opened conversation from a later page loads before the first page', async () => {
  const { service, network, client } = createSimulation(7);
  const talks = ['bob', 'carol', 'dora'].map((one) => service.create(one, { contact: 'ann' }));
  const ids = talks.map(({ id }) => id).toSorted();
  const delays = { 'GET /v1/messages': 300, 'GET /v1/conversations': second };
  network.conditions.replyDelay = (request) => Object(delays)[request] ?? 0;
  const inbox = live(client, { WebSocket: network.WebSocket, conversations: { limit: 2 } });
  inbox.open(ids[0] ?? '');
  await advanceTime(minute);
  const shown = inbox.getSnapshot().conversations.map(({ id }) => id);
  expect(shown).toEqual(ids.toReversed());
  inbox.close();
});

describe('A list that has reached `maxConversations`', () => {
  test('loads the next page even if its last conversation has moved to the top', async () => {
    const options: LiveOptions = { conversations: { limit: 2 }, maxConversations: 3 };
    const { service, inbox, sendText, expectListed, shown } = await listening(5, options);
    const more = inbox.loadMore();
    await advanceTime(second);
    await more;
    for (let n = 0; n < 2; n += 1) {
      service.send(`new-${n}`, service.create(`new-${n}`, { contact: 'ann' }), 'first');
      await advanceTime(second);
    }
    expect(inbox.getSnapshot().conversations).toHaveLength(4);
    expect(shown(3)).toBeDefined();
    sendText(3, 'second');
    await advanceTime(10 * second);
    expect(inbox.getSnapshot().conversations).toHaveLength(4);
    const others = inbox.loadMore();
    await advanceTime(second);
    await others;
    expect(inbox.getSnapshot().conversations).toHaveLength(6);
    await expectListed();
  });
});

test('A push without text changes the message and keeps its text, even if the push arrives while the conversation loads', async () => {
  const { service, inbox, idOf, sendText, delayReply, waitForReply } = await listening(1);
  const text = 'x'.repeat(30_000);
  const { id } = sendText(0, text);
  sendText(0, 'newest');
  await advanceTime(minute);
  delayReply(/GET .v1.messages/, 10 * second);
  const open = inbox.open(idOf(0));
  await waitForReply(/GET .v1.messages/);
  service.respond('person-0', 'PUT', `/v1/messages/${id}`, { reactions: { like: ['person-0'] } });
  await advanceTime(minute);
  expect(open.getSnapshot().messages[1]).toMatchObject({
    message: text,
    reactions: [{ like: ['person-0'] }],
  });
  inbox.close();
});

test('The list is in order if a message is deleted before its event arrives', async () => {
  const { network, client, inbox, idOf, sendText, expectListed } = await listening(2);
  network.conditions.latePushes = 10 * second;
  const sent = sendText(0, 'second');
  await advanceTime(0.5 * second);
  network.conditions.lostPushes = 1;
  const deleting = inbox.apply(client.messages.delete({ message_id: sent.id }));
  await advanceTime(30 * second);
  expect(await deleting).toMatchObject({ id: sent.id, deleted: true });
  expect(inbox.getSnapshot().conversations[0]?.id).toBe(idOf(0));
  await expectListed();
});
