import { describe, expect, jest, test } from '@jest/globals';
import {
  type LiveOptions,
  live,
  type Message,
  SignedOutError,
} from '../../../../../client/src/index.ts';
import { createMemoryStorage } from '../../../simulation/memory-storage.ts';
import { goodConditions } from '../../../simulation/simulated-network.ts';
import {
  advanceTime,
  annsToken,
  createSimulation,
  useSimulatedTime,
} from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

async function startConversation(options: LiveOptions = {}, token: () => string = () => annsToken) {
  const { service, network, client } = createSimulation(11, { token });
  const conversation = service.create('bob', { contact: 'ann' });
  service.send('bob', conversation, 'first');
  const inbox = live(client, { WebSocket: network.WebSocket, ...options });
  await advanceTime(10 * second);
  const open = inbox.open(conversation.id);
  await advanceTime(10 * second);
  const texts = (messages: readonly Message[]) => messages.map(({ message }) => message);
  const shown = () => texts(open.getSnapshot().messages).reverse();
  const pending = () =>
    open.getSnapshot().pending.map(({ message, status }) => `${message} ${status}`);
  const stored = () => conversation.messages.map(({ text }) => text);
  const goOnline = () => {
    network.conditions = { ...goodConditions };
    inbox.reconnect();
  };
  return { service, network, client, conversation, inbox, open, shown, pending, stored, goOnline };
}

describe('A message that is sent', () => {
  test('appears as pending at once, and becomes a sent message in one step', async () => {
    const { open, shown, pending, inbox } = await startConversation();
    const views: string[] = [];
    open.subscribe(() => views.push([...shown(), ...pending()].join(', ')));
    const sending = open.send({ message: 'Hello' });
    await Promise.resolve();
    await advanceTime(0);
    expect(pending()).toEqual(['Hello pending']);
    await advanceTime(5 * second);
    expect((await sending).message).toBe('Hello');
    expect([shown(), pending()]).toEqual([['first', 'Hello'], []]);
    expect([...new Set(views)]).toEqual(['first, Hello pending', 'first, Hello']);
    inbox.close();
  });

  test('appears once if its push arrives before the reply', async () => {
    const { network, open, shown, pending, inbox } = await startConversation();
    network.conditions.replyDelay = (request) => (request === 'POST /v1/messages' ? 5 * second : 0);
    const views: string[] = [];
    open.subscribe(() => views.push([...shown(), ...pending()].join(', ')));
    open.send({ message: 'Hello' });
    await advanceTime(10 * second);
    expect([...new Set(views)]).toEqual(['first, Hello pending', 'first, Hello']);
    inbox.close();
  });

  test('does not hide a message with the same text that another device sent', async () => {
    const { service, network, conversation, open, shown, pending, inbox } =
      await startConversation();
    network.conditions.replyDelay = (request) => (request === 'POST /v1/messages' ? 5 * second : 0);
    open.send({ message: 'Hello' });
    await advanceTime(second);
    service.send('ann', conversation, 'Hello');
    await advanceTime(second);
    expect([shown(), pending()]).toEqual([['first', 'Hello'], ['Hello pending']]);
    await advanceTime(10 * second);
    expect([shown(), pending()]).toEqual([['first', 'Hello', 'Hello'], []]);
    inbox.close();
  });

  test('does not hide an earlier message with the same text', async () => {
    const { open, shown, pending, inbox } = await startConversation();
    open.send({ message: 'Hello' });
    await advanceTime(5 * second);
    open.send({ message: 'Hello' });
    await advanceTime(0);
    expect([shown(), pending()]).toEqual([['first', 'Hello'], ['Hello pending']]);
    await advanceTime(5 * second);
    expect(shown()).toEqual(['first', 'Hello', 'Hello']);
    inbox.close();
  });

  test('waits while the client is offline, and is then sent in order, one request at a time', async () => {
    const { network, open, pending, stored, inbox, goOnline } = await startConversation();
    network.conditions.isOffline = true;
    network.cut();
    for (const message of ['one', 'two', 'three']) open.send({ message });
    await advanceTime(10 * minute);
    expect(pending()).toEqual(['one pending', 'two pending', 'three pending']);
    expect(inbox.getSnapshot().status).toBe('offline');
    const inFlight = { count: 0, max: 0 };
    network.overrideReply = (request) => {
      if (request !== 'POST /v1/messages') return undefined;
      inFlight.count += 1;
      inFlight.max = Math.max(inFlight.max, inFlight.count);
      setTimeout(() => {
        inFlight.count -= 1;
      }, 1);
      return undefined;
    };
    goOnline();
    await advanceTime(10 * second);
    expect(stored()).toEqual(['first', 'one', 'two', 'three']);
    expect(pending()).toEqual([]);
    expect(inFlight.max).toBe(1);
    inbox.close();
  });

  test.each(['edited', 'deleted'])(
    'is up to date if another device has %s it before the client sends it again',
    async (change) => {
      const { service, network, conversation, open, stored, shown, inbox, goOnline } =
        await startConversation();
      network.overrideReply = (request) => {
        if (request !== 'POST /v1/messages') return undefined;
        // The first attempt succeeds, and its reply is lost.
        network.conditions.isOffline = true;
        network.cut();
        delete network.overrideReply;
        return undefined;
      };
      const sending = open.send({ message: 'mine' });
      await advanceTime(second);
      expect(stored()).toEqual(['first', 'mine']);
      const path = `/v1/messages/${conversation.messages[1]?.id}`;
      if (change === 'edited') service.respond('ann', 'PUT', path, { message: 'edited' });
      else service.respond('ann', 'DELETE', path, {});
      await advanceTime(minute);
      service.expireFeeds();
      goOnline();
      await advanceTime(minute);
      expect((await sending).message).toBe('mine');
      expect(shown()).toEqual(change === 'edited' ? ['first', 'edited'] : ['first']);
      expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe(shown().at(-1));
      inbox.close();
    },
  );

  test('is sent once and in order even if most requests or replies are lost', async () => {
    const { network, open, shown, stored, inbox } = await startConversation();
    network.conditions.lostRequests = 0.9;
    for (let n = 0; n < 5; n += 1) open.send({ message: `${n}` });
    await advanceTime(20 * minute);
    network.conditions = { ...goodConditions };
    await advanceTime(20 * minute);
    expect(stored()).toEqual(['first', '0', '1', '2', '3', '4']);
    expect(shown()).toEqual(stored());
    inbox.close();
  });

  test('appears as failed if the API refuses it, and can be retried or discarded', async () => {
    const { network, open, shown, pending, stored, inbox } = await startConversation();
    network.overrideReply = (request) =>
      request === 'POST /v1/messages'
        ? { status: 400, body: { code: 'parameter_invalid', message: 'Too long.' } }
        : undefined;
    const sending = ['one', 'two'].map((message) => open.send({ message }));
    await advanceTime(5 * second);
    expect(pending()).toEqual(['one failed', 'two failed']);
    expect(open.getSnapshot().pending[0]?.error).toMatchObject({
      name: 'ParameterInvalidError',
      message: 'Too long.',
    });
    await expect(sending[0]).rejects.toThrow('Too long.');
    delete network.overrideReply;
    const [one, two] = open.getSnapshot().pending;
    open.retry(two?.key ?? '');
    open.discard(one?.key ?? '');
    await advanceTime(5 * second);
    expect([shown(), pending()]).toEqual([['first', 'two'], []]);
    expect(stored()).toEqual(['first', 'two']);
    inbox.close();
  });

  test('is sent even if an earlier message failed', async () => {
    const { network, open, pending, stored, inbox } = await startConversation();
    let refusals = 1;
    network.overrideReply = (request) => {
      if (request !== 'POST /v1/messages' || refusals === 0) return undefined;
      refusals -= 1;
      return { status: 403, body: { code: 'not_allowed' } };
    };
    for (const message of ['one', 'two']) open.send({ message });
    await advanceTime(5 * second);
    expect([pending(), stored()]).toEqual([['one failed'], ['first', 'two']]);
    inbox.close();
  });

  test('stays pending while the user is signed out, and the client makes no further attempts', async () => {
    const session = { isSignedIn: true, calls: 0 };
    const { open, pending, stored, inbox, network } = await startConversation({}, () => {
      session.calls += 1;
      if (!session.isSignedIn) throw new SignedOutError();
      return annsToken;
    });
    session.isSignedIn = false;
    network.cut();
    await advanceTime(10 * second);
    open.send({ message: 'Hello' });
    await advanceTime(10 * second);
    session.calls = 0;
    await advanceTime(hour);
    expect([pending(), session.calls]).toEqual([['Hello pending'], 0]);
    session.isSignedIn = true;
    inbox.reconnect();
    await advanceTime(10 * second);
    expect([pending(), stored()]).toEqual([[], ['first', 'Hello']]);
    inbox.close();
  });
});

describe('With persistent storage', () => {
  test('pending messages are sent after the app restarts', async () => {
    const storage = createMemoryStorage(5);
    const first = await startConversation({ storage });
    first.network.conditions.isOffline = true;
    for (const message of ['one', 'two']) first.open.send({ message });
    await advanceTime(minute);
    expect(first.pending()).toEqual(['one pending', 'two pending']);
    first.inbox.close();
    expect(storage.values.size).toBe(2);

    first.network.conditions = { ...goodConditions };
    const restarted = live(first.client, { WebSocket: first.network.WebSocket, storage });
    await advanceTime(10 * second);
    expect(first.stored()).toEqual(['first', 'one', 'two']);
    expect(storage.values.size).toBe(0);
    restarted.close();
  });

  test('another user’s pending messages stay in the storage and are not sent', async () => {
    const storage = createMemoryStorage();
    storage.values.set('bob/key', '{}');
    const { pending, stored, inbox } = await startConversation({ storage });
    await advanceTime(minute);
    expect([pending(), stored()]).toEqual([[], ['first']]);
    expect(storage.values.size).toBe(1);
    inbox.close();
  });

  test('a message attempted more than 20 hours ago appears as failed, because a retry might send it twice', async () => {
    const storage = createMemoryStorage();
    const first = await startConversation({ storage });
    first.network.conditions.isOffline = true;
    first.open.send({ message: 'old' });
    await advanceTime(minute);
    first.inbox.close();
    jest.setSystemTime(Date.now() + 21 * hour);
    first.network.conditions = { ...goodConditions };
    const restarted = live(first.client, { WebSocket: first.network.WebSocket, storage });
    const open = restarted.open(first.conversation.id);
    await advanceTime(10 * second);
    expect(first.stored()).toEqual(['first']);
    const [entry] = open.getSnapshot().pending;
    expect(entry).toMatchObject({ status: 'failed' });
    expect(entry?.error?.message).toContain('unknown');
    open.retry(entry?.key ?? '');
    await advanceTime(10 * second);
    expect(first.stored()).toEqual(['first', 'old']);
    restarted.close();
  });

  test('if a write fails, the message is not shown, and `send` rejects', async () => {
    const storage = createMemoryStorage();
    storage.put = () => Promise.reject(new Error('The disk is full.'));
    const { open, pending, inbox } = await startConversation({ storage });
    const sending = open.send({ message: 'Hello' });
    await Promise.all([expect(sending).rejects.toThrow('disk is full'), advanceTime(second)]);
    expect(pending()).toEqual([]);
    inbox.close();
  });
});
