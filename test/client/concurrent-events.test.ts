import { describe, expect, test } from '@jest/globals';
import { type LiveOptions, live } from '../../client/src/index.ts';
import type { SimulatedConversation } from './simulation/simulated-conversations.ts';
import { advanceTime, createSimulation, useSimulatedTime } from './simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;
const retrieved = /GET .v1.conversations.\w+/;
const listed = /GET .v1.conversations$/;

/** Starts Ann's inbox. The given number of people have each sent Ann one message. */
async function listening(people: number, options: LiveOptions = {}, sinceWhen = minute) {
  const { service, network, client } = createSimulation(7);
  const talks: SimulatedConversation[] = [];
  for (let n = 0; n < people; n += 1) {
    const talk = service.create(`person-${n}`, { contact: 'ann' });
    service.send(`person-${n}`, talk, 'first');
    talks.push(talk);
    await advanceTime(second);
  }
  const inbox = live(client, { WebSocket: network.WebSocket, ...options });
  await advanceTime(sinceWhen);
  const talk = (n: number) => {
    const one = talks[n];
    if (!one) throw new Error('The conversation number is out of range.');
    return one;
  };
  return {
    service,
    network,
    inbox,
    idOf: (n: number) => talk(n).id,
    say: (n: number, text: string) => service.send(`person-${n}`, talk(n), text),
    /** Sends a request from Ann's second device. */
    elsewhere: (method: string, path: string, body?: object) =>
      service.answer('ann', method, `/v1/${path}`, body),
    shown: (n: number) => inbox.getSnapshot().conversations.find(({ id }) => id === talk(n).id),
    /** Delays the replies to matching requests by the given milliseconds. */
    late: (request: RegExp, by: number) => {
      network.conditions.replyDelay = (one) => (request.test(one) ? by : 0);
    },
    /** Waits for a matching request, then 50 ms, during which the service computes the reply. */
    answered: async (request: RegExp) => {
      const before = network.requests.length;
      const isAsked = () => network.requests.slice(before).some((one) => request.test(one));
      for (let n = 0; n < 6000 && !isAsked(); n += 1) await advanceTime(10);
      expect(network.requests.slice(before)).toContainEqual(expect.stringMatching(request));
      await advanceTime(50);
    },
    /**
     * Ends the delays, waits a minute, and checks that the store equals the API's list. Then closes
     * the inbox.
     */
    isAsListed: async () => {
      network.conditions.replyDelay = () => 0;
      await advanceTime(minute);
      const { conversations } = inbox.getSnapshot();
      const asked = {
        expand: ['contact', 'last_message', 'unread_count'] as const,
        ...options.conversations,
        limit: Math.max(1, conversations.length),
      };
      const page = client.conversations.list(asked).page();
      await advanceTime(second);
      const { data, has_more } = await page;
      expect(inbox.getSnapshot()).toMatchObject({ conversations: data, hasMore: has_more });
      inbox.close();
    },
  };
}

describe('A conversation that changes while the client requests it', () => {
  test('counts a message that arrives before the reply', async () => {
    const { idOf, say, elsewhere, late, answered, shown, isAsListed } = await listening(1);
    // Ann reads the messages on another device, so the client must retrieve the count.
    late(retrieved, 5 * second);
    elsewhere('GET', `messages?conversation_id=${idOf(0)}`);
    await answered(retrieved);
    say(0, 'second');
    await advanceTime(20 * second);
    expect(shown(0)?.unread_count).toBe(1);
    await isAsListed();
  });

  test('counts a message once if the service stores it between reading the last message and counting unread messages', async () => {
    const { service, say, answered, shown, isAsListed } = await listening(1);
    const { id } = say(0, 'second');
    await advanceTime(minute);
    // A deletion makes the client retrieve the count.
    service.answer('person-0', 'DELETE', `/v1/messages/${id}`, {});
    service.beforeCounting = () => {
      service.beforeCounting = () => {};
      say(0, 'third');
    };
    await answered(retrieved);
    await advanceTime(minute);
    expect(shown(0)?.unread_count).toBe(2);
    await isAsListed();
  });

  test('counts a message once even if `last_message` is not expanded', async () => {
    const options: LiveOptions = { conversations: { expand: ['unread_count'] } };
    const { service, network, say, shown, answered, isAsListed } = await listening(1, options, 0);
    service.beforeCounting = () => {
      service.beforeCounting = () => {};
      say(0, 'second');
    };
    await answered(listed);
    expect(shown(0)?.unread_count).toBe(2);
    network.conditions.isOffline = true;
    network.cut();
    await advanceTime(20 * second);
    network.conditions.isOffline = false;
    await isAsListed();
  });

  test('has the flags of a later event even without expanded fields', async () => {
    const options: LiveOptions = { conversations: { limit: 1, expand: [] } };
    const { inbox, idOf, elsewhere, late, answered, isAsListed, shown } = await listening(
      2,
      options,
    );
    late(listed, 5 * second);
    const more = inbox.loadMore();
    await answered(listed);
    elsewhere('PUT', `conversations/${idOf(0)}`, { is_muted: true });
    await advanceTime(10 * second);
    await more;
    expect(shown(0)).toBeDefined();
    await isAsListed();
  });

  test('keeps the state from a later request whose reply arrives first', async () => {
    const options: LiveOptions = { conversations: { limit: 1 } };
    const { inbox, say, late, answered, isAsListed } = await listening(2, options);
    late(listed, 5 * second);
    const more = inbox.loadMore();
    await answered(listed);
    // The conversation is not shown yet, so the client retrieves it.
    say(0, 'second');
    await advanceTime(10 * second);
    await more;
    await isAsListed();
  });
});

describe('A page whose conversations change while the client requests it', () => {
  test('shows all its conversations even if the last one moves to the top', async () => {
    const options: LiveOptions = { conversations: { limit: 2 } };
    const { inbox, say, late, answered, isAsListed, shown } = await listening(4, options);
    late(listed, 5 * second);
    const more = inbox.loadMore();
    await answered(listed);
    say(0, 'second');
    await advanceTime(10 * second);
    await more;
    expect([0, 1, 2, 3].map((n) => shown(n) !== undefined)).toEqual([true, true, true, true]);
    await isAsListed();
  });

  test('is followed by the next page even if its last conversation is deleted', async () => {
    const options: LiveOptions = { conversations: { limit: 2 } };
    const { inbox, idOf, elsewhere, late, answered, isAsListed } = await listening(6, options);
    late(listed, 5 * second);
    const more = inbox.loadMore();
    await answered(listed);
    elsewhere('DELETE', `conversations/${idOf(2)}`);
    await advanceTime(10 * second);
    await more;
    expect(inbox.getSnapshot()).toMatchObject({ hasMore: true });
    expect(inbox.getSnapshot().conversations).toHaveLength(3);
    const others = inbox.loadMore();
    await advanceTime(10 * second);
    await others;
    expect(inbox.getSnapshot().conversations).toHaveLength(5);
    await isAsListed();
  });
});

describe('An opened conversation', () => {
  test.each(['opening', 'marking'])(
    'keeps a message unread if it arrives after the service sets the read position: %s',
    async (how) => {
      const { inbox, idOf, say, shown, late, answered, isAsListed } = await listening(1);
      const open = inbox.open(idOf(0), { peek: how === 'marking' });
      if (how === 'marking') await advanceTime(minute);
      const request = how === 'opening' ? /GET .v1.messages$/ : /PUT/;
      late(request, 20 * second);
      const marked = how === 'marking' ? open.markRead() : undefined;
      await answered(request);
      say(0, 'second');
      await advanceTime(30 * second);
      await marked;
      expect(shown(0)?.unread_count).toBe(1);
      open.close();
      await isAsListed();
    },
  );
});

test('reload() includes edits, deletions and new messages that arrive during its request', async () => {
  const { service, inbox, idOf, say, late, answered, isAsListed } = await listening(1);
  const [edited, third] = [say(0, 'second'), say(0, 'third')];
  const open = inbox.open(idOf(0), { peek: true });
  await advanceTime(minute);
  late(/GET .v1.messages$/, 5 * second);
  const reloading = open.reload();
  await answered(/GET .v1.messages$/);
  service.answer('person-0', 'PUT', `/v1/messages/${edited.id}`, { message: 'edited' });
  service.answer('person-0', 'DELETE', `/v1/messages/${third.id}`, {});
  say(0, 'fourth');
  await advanceTime(10 * second);
  await reloading;
  expect(open.getSnapshot().messages.map(({ message }) => message)).toEqual([
    'fourth',
    'edited',
    'first',
  ]);
  await isAsListed();
});

test('If an opened conversation from below the first page loads before that page, the list is still in order', async () => {
  const { service, network, client } = createSimulation(7);
  const talks = ['bob', 'carol', 'dora'].map((one) => service.create(one, { contact: 'ann' }));
  const ids = talks.map(({ id }) => id).toSorted();
  // The replies arrive in this order: the conversation, its messages, the list.
  const late = { 'GET /v1/messages': 300, 'GET /v1/conversations': second };
  network.conditions.replyDelay = (request) => Object(late)[request] ?? 0;
  const inbox = live(client, { WebSocket: network.WebSocket, conversations: { limit: 2 } });
  inbox.open(ids[0] ?? '');
  await advanceTime(minute);
  const shown = inbox.getSnapshot().conversations.map(({ id }) => id);
  expect(shown).toEqual(ids.toReversed());
  inbox.close();
});

describe('A list with `maxConversations` conversations', () => {
  test('loads the next page even if its last conversation has moved to the top', async () => {
    const options: LiveOptions = { conversations: { limit: 2 }, maxConversations: 3 };
    const { service, inbox, say, isAsListed, shown } = await listening(5, options);
    const more = inbox.loadMore();
    await advanceTime(second);
    await more;
    for (let n = 0; n < 2; n += 1) {
      service.send(`new-${n}`, service.create(`new-${n}`, { contact: 'ann' }), 'first');
      await advanceTime(second);
    }
    expect(inbox.getSnapshot().conversations).toHaveLength(4);
    expect(shown(3)).toBeDefined();
    say(3, 'second');
    await advanceTime(10 * second);
    expect(inbox.getSnapshot().conversations).toHaveLength(4);
    const others = inbox.loadMore();
    await advanceTime(second);
    await others;
    expect(inbox.getSnapshot().conversations).toHaveLength(6);
    await isAsListed();
  });
});

test('A push without text changes the message and keeps its text, even if the push arrives while the conversation loads', async () => {
  const { service, inbox, idOf, say, late, answered } = await listening(1);
  const text = 'x'.repeat(30_000);
  const { id } = say(0, text);
  say(0, 'newest');
  await advanceTime(minute);
  late(/GET .v1.messages/, 10 * second);
  const open = inbox.open(idOf(0));
  await answered(/GET .v1.messages/);
  service.answer('person-0', 'PUT', `/v1/messages/${id}`, { reactions: { like: ['person-0'] } });
  await advanceTime(minute);
  expect(open.getSnapshot().messages[1]).toMatchObject({
    message: text,
    reactions: [{ like: ['person-0'] }],
  });
  inbox.close();
});
