import { describe, expect, jest, test } from '@jest/globals';
import { type LiveOptions, live } from '../../../../../client/src/index.ts';
import { advanceTime, createSimulation, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;

/** Starts Ann's inbox with an open conversation in which Bob has sent numbered messages. */
async function opened(count: number, options: LiveOptions = {}, { peek = false } = {}) {
  const { service, network, client } = createSimulation(9);
  const talk = service.create('bob', { contact: 'ann' });
  let n = 0;
  const sendNext = () => {
    n += 1;
    return service.send('bob', talk, `${n}`);
  };
  for (let m = 0; m < count; m += 1) sendNext();
  const inbox = live(client, { WebSocket: network.WebSocket, messagesPerPage: 3, ...options });
  await advanceTime(minute);
  const open = inbox.open(talk.id, { peek });
  await advanceTime(minute);
  const texts = () =>
    open
      .getSnapshot()
      .messages.map(({ message }) => message)
      .join(' ');
  const state = () => {
    const { status, hasMore, error } = open.getSnapshot();
    return [status, texts(), hasMore, error?.name ?? null];
  };
  const done = async (action: Promise<unknown>) => {
    await advanceTime(5 * second);
    await action;
  };
  const requests = () => network.requests.splice(0).filter((one) => !one.includes('events'));
  requests();
  return { service, network, inbox, open, talk, sendNext, texts, state, done, requests };
}
const failing = { status: 503, body: { code: 'unavailable' } };

describe('An open conversation', () => {
  test('shows its newest messages, and loads older ones page by page', async () => {
    const { open, state, done, requests, inbox } = await opened(7);
    expect(state()).toEqual(['ready', '7 6 5', true, null]);
    await done(open.loadOlder());
    expect(state()).toEqual(['ready', '7 6 5 4 3 2', true, null]);
    await done(open.loadOlder());
    expect(state()).toEqual(['ready', '7 6 5 4 3 2 1', false, null]);
    expect(requests()).toEqual(['GET /v1/messages', 'GET /v1/messages']);
    await done(open.loadOlder());
    expect(requests()).toEqual([]);
    inbox.close();
  });

  test('ignores changes to messages that are not loaded', async () => {
    const { service, talk, state, inbox } = await opened(5);
    const [first] = talk.messages;
    service.respond('bob', 'PUT', `/v1/messages/${first?.id}`, { message: 'edited' });
    await advanceTime(5 * second);
    expect(state()).toEqual(['ready', '5 4 3', true, null]);
    inbox.close();
  });

  test('keeps at most `maxMessages` messages, plus those that loadOlder() has loaded', async () => {
    const { open, sendNext, state, done, inbox } = await opened(5, { maxMessages: 4 });
    for (let n = 0; n < 3; n += 1) sendNext();
    await advanceTime(5 * second);
    expect(state()).toEqual(['ready', '8 7 6 5', true, null]);
    await done(open.loadOlder());
    expect(state()).toEqual(['ready', '8 7 6 5 4 3 2', true, null]);
    sendNext();
    await advanceTime(5 * second);
    expect(state()).toEqual(['ready', '9 8 7 6 5 4 3', true, null]);
    inbox.close();
  });

  test('reloads all shown messages in pages of 100', async () => {
    const options = { messagesPerPage: 100, maxMessages: 130 };
    const { service, network, open, done, texts, requests, inbox } = await opened(250, options);
    await done(open.loadOlder());
    requests();
    await done(open.reload());
    expect(requests()).toEqual(['GET /v1/messages', 'GET /v1/messages']);
    const all = Array.from({ length: 200 }, (_, n) => `${250 - n}`);
    expect(texts()).toBe(all.join(' '));
    expect([service.conversations.length, network.connections()]).toEqual([1, 1]);
    inbox.close();
  });

  test('reports an error if loading fails, and loads after reload() or when the API is reachable again', async () => {
    const { network, inbox, talk, done, open } = await opened(2);
    open.close();
    network.overrideReply = (request) => (request === 'GET /v1/messages' ? failing : undefined);
    const reopened = inbox.open(talk.id);
    await advanceTime(20 * second);
    const state = () => [reopened.getSnapshot().status, reopened.getSnapshot().error?.name ?? null];
    expect(state()).toEqual(['failed', 'UnavailableError']);
    const reloading = reopened.reload();
    expect(state()[0]).toBe('loading');
    await advanceTime(10 * second);
    await reloading;
    expect(state()).toEqual(['failed', 'UnavailableError']);
    delete network.overrideReply;
    await done(reopened.reload());
    expect(state()).toEqual(['ready', null]);
    // A failed reload keeps the loaded messages.
    network.overrideReply = (request) => (request === 'GET /v1/messages' ? failing : undefined);
    await done(reopened.reload().then(() => advanceTime(10 * second)));
    await advanceTime(10 * second);
    expect(state()).toEqual(['ready', 'UnavailableError']);
    delete network.overrideReply;
    await advanceTime(20 * minute);
    expect(state()).toEqual(['ready', null]);
    inbox.close();
  });

  test('marks its messages as read when it opens unless `peek` is set; a repeated markRead() sends no request', async () => {
    const { service, open, done, sendNext, requests, inbox } = await opened(2, {}, { peek: true });
    const unread = () => inbox.getSnapshot().conversations[0]?.unread_count;
    const isOpened = () => service.conversations[0]?.settings.get('ann')?.opened !== null;
    expect([unread(), isOpened()]).toEqual([2, false]);
    await done(open.markRead());
    expect([unread(), isOpened()]).toEqual([0, true]);
    expect(requests()).toContain('PUT /v1/conversations/'.concat(open.id));
    await done(open.markRead());
    expect(requests()).toEqual([]);
    sendNext();
    await advanceTime(5 * second);
    expect(unread()).toBe(1);
    await done(open.markRead());
    expect(unread()).toBe(0);
    sendNext();
    await advanceTime(5 * second);
    expect(unread()).toBe(1);
    open.close();
    inbox.open(open.id);
    await advanceTime(5 * second);
    expect(unread()).toBe(0);
    inbox.close();
  });

  test('sends an unread mark only after the reply to the read mark, so that the marked messages stay unread', async () => {
    const { network, open, talk, done, requests, inbox } = await opened(2, {}, { peek: true });
    const update = `PUT /v1/conversations/${open.id}`;
    network.conditions.replyDelay = (request) => (request === update ? 2 * second : 0);
    const read = open.markRead();
    await advanceTime(1.5 * second);
    const unread = open.markUnread(talk.messages[1]?.id ?? '');
    await advanceTime(100);
    // The client may also retrieve the conversation.
    const writes = () => requests().filter((one) => !one.startsWith('GET'));
    expect(writes()).toEqual([update]);
    await done(Promise.all([read, unread]));
    expect(writes()).toEqual([update]);
    expect(inbox.getSnapshot().conversations[0]?.unread_count).toBe(1);
    inbox.close();
  });

  test('that is empty sends no read mark', async () => {
    const { open, done, requests, state, inbox } = await opened(0);
    expect(state()).toEqual(['ready', '', false, null]);
    await done(open.markRead());
    expect(requests()).toEqual([]);
    inbox.close();
  });

  test('that is deleted has no messages, even after reload()', async () => {
    const { service, open, talk, done, state, inbox, requests } = await opened(5);
    service.respond('bob', 'DELETE', `/v1/conversations/${talk.id}`, {});
    await advanceTime(5 * second);
    expect(state()).toEqual(['gone', '', false, null]);
    requests();
    await done(open.loadOlder());
    expect(requests()).toEqual([]);
    await done(open.reload());
    expect(state()).toEqual(['gone', '', false, null]);
    inbox.close();
  });

  test('that is deleted after a failed reload has the status `gone` and no error', async () => {
    const { service, network, open, talk, done, state, inbox } = await opened(2);
    network.overrideReply = (request) => (request === 'GET /v1/messages' ? failing : undefined);
    await done(open.reload());
    await advanceTime(minute);
    expect(state()).toEqual(['ready', '2 1', false, 'UnavailableError']);
    service.respond('bob', 'DELETE', `/v1/conversations/${talk.id}`, {});
    await advanceTime(5 * second);
    expect(state()).toEqual(['gone', '', false, null]);
    inbox.close();
  });

  test('shows a sent message, and keeps an edit that arrives before the reply', async () => {
    const { service, network, open, talk, state, inbox } = await opened(1);
    network.conditions.lostPushes = 1;
    const sending = open.send({ message: 'mine' });
    await advanceTime(100);
    await sending;
    expect(state()).toEqual(['ready', 'mine 1', false, null]);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('mine');
    network.conditions.lostPushes = 0;
    await advanceTime(minute);
    network.conditions.replyDelay = (request) => (request === 'POST /v1/messages' ? 5 * second : 0);
    const delayed = open.send({ message: 'mine, too' });
    await advanceTime(second);
    const sent = talk.messages.at(-1);
    service.respond('ann', 'PUT', `/v1/messages/${sent?.id}`, { message: 'edited' });
    await advanceTime(10 * second);
    expect((await delayed).message).toBe('mine, too');
    expect(state()).toEqual(['ready', 'edited mine 1', false, null]);
    inbox.close();
  });

  test('receives updates until all its handles are closed', async () => {
    const { open, talk, sendNext, texts, inbox } = await opened(1);
    const other = inbox.open(talk.id);
    let notifications = 0;
    other.subscribe(() => {
      notifications += 1;
    });
    open.close();
    open.close();
    sendNext();
    await advanceTime(5 * second);
    expect(other.getSnapshot().messages).toHaveLength(2);
    expect(notifications).toBeGreaterThan(0);
    other.close();
    notifications = 0;
    sendNext();
    await advanceTime(5 * second);
    expect([notifications, texts()]).toEqual([0, '2 1']);
    inbox.close();
  });
});

test('A list that is added during the first load shows its conversations', async () => {
  const { service, network, client } = createSimulation(9);
  service.create('bob', { contact: 'ann' });
  await advanceTime(minute);
  network.conditions.replyDelay = (request) => (request === 'GET /v1/conversations' ? second : 0);
  const inbox = live(client, { WebSocket: network.WebSocket });
  await advanceTime(second / 2);
  expect(network.requests).toContain('GET /v1/conversations');
  const list = inbox.list({});
  await advanceTime(minute);
  const counts = [inbox, list].map((one) => one.getSnapshot().conversations.length);
  expect([inbox.getSnapshot().status, counts]).toEqual(['live', [1, 1]]);
  inbox.close();
});

test('Open conversations are up to date after the missed events have expired, whether or not they are listed', async () => {
  const { service, network, client } = createSimulation(9);
  const ids = Array.from({ length: 7 }, () => service.create('bob', { contact: 'ann' }).id);
  const conversations = { exclude: ['archived' as const] };
  const inbox = live(client, { WebSocket: network.WebSocket, conversations });
  const opened = ids.map((id) => inbox.open(id));
  await advanceTime(minute);
  // In a background tab, the browser delays timers, so that they run at the same time.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  network.conditions.isOffline = true;
  network.cut();
  ids.forEach((id, n) => {
    const change = { is_muted: true, ...(n > 0 && { archived_at: 1 }) };
    service.respond('ann', 'PUT', `/v1/conversations/${id}`, change);
  });
  await advanceTime(minute);
  service.expireFeeds();
  network.conditions.isOffline = false;
  await advanceTime(2 * minute);
  expect(inbox.getSnapshot().conversations.map(({ id }) => id)).toEqual(ids.slice(0, 1));
  const isMuted = opened.map((one) => one.getSnapshot().conversation?.is_muted);
  expect(isMuted).toEqual(ids.map(() => true));
  network.requests.splice(0);
  await advanceTime(minute);
  expect(network.requests).toEqual([]);
  inbox.close();
});

test('A conversation disappears if the API no longer returns its messages, and reappears after the next renewal if it does', async () => {
  const { service, network, client } = createSimulation(9);
  const groups = service.getGroups('ann').add('team');
  const { id } = service.create('bob', { group: 'team' });
  const inbox = live(client, { WebSocket: network.WebSocket });
  await advanceTime(minute);
  groups.delete('team');
  const open = inbox.open(id);
  await advanceTime(50);
  groups.add('team');
  const status = () => [open.getSnapshot().status, inbox.getSnapshot().conversations.length];
  await advanceTime(50);
  expect(status()).toEqual(['gone', 0]);
  await advanceTime(20 * minute);
  expect(status()).toEqual(['ready', 1]);
  inbox.close();
});
