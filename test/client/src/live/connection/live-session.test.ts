import { describe, expect, test } from '@jest/globals';
import { live } from '../../../../../client/src/index.ts';
import { startListening } from '../../../simulation/listening-client.ts';
import { goodConditions } from '../../../simulation/simulated-network.ts';
import { advanceTime, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;

describe('A live inbox that runs for a long time', () => {
  test('retries a failed request even if no event arrives', async () => {
    const { network, inbox, failUnreadCount } = await startListening();
    await failUnreadCount();
    delete network.overrideReply;
    await advanceTime(20 * minute);
    expect(inbox.getSnapshot().conversations[0]?.unread_count).toBe(0);
    inbox.close();
  });

  test('shows a message within six seconds if its push is lost right after a reconnection', async () => {
    const { network, inbox, receivesNextMessage } = await startListening();
    network.cut();
    while (inbox.getSnapshot().status === 'live') await advanceTime(10);
    while (inbox.getSnapshot().status !== 'live') await advanceTime(10);
    network.conditions.lostPushes = 1;
    expect(await receivesNextMessage(3 * second)).toBe(false);
    await advanceTime(3 * second);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('1');
    inbox.close();
  });

  test.each([
    ['leaves a group', ['team'], []],
    ['joins a group without recent events', [], ['team']],
    ['leaves a group and joins another', ['team'], ['friends']],
  ])('shows the current groups’ conversations after the user %s', async (_, before, after) => {
    const { service, network, client, inbox: other } = await startListening();
    other.close();
    for (const group of ['team', 'friends']) service.create('bob', { group });
    await advanceTime(minute);
    service.expireFeeds();
    const groups = service.getGroups('ann');
    for (const group of before) groups.add(group);
    const inbox = live(client, { WebSocket: network.WebSocket });
    await advanceTime(minute);
    const shown = () => inbox.getSnapshot().conversations.flatMap(({ group_id }) => group_id ?? []);
    expect(shown()).toEqual(before);
    groups.clear();
    for (const group of after) groups.add(group);
    await advanceTime(20 * minute);
    expect(shown()).toEqual(after);
    expect(inbox.getSnapshot().status).toBe('live');
    const requests = network.requests.length;
    await advanceTime(10 * minute);
    expect(network.requests.length - requests).toBeLessThanOrEqual(4);
    inbox.close();
  });

  test('renews its channels at most once every two minutes even if the API returns expired channels', async () => {
    const { network, service, inbox, countRequests } = await startListening();
    network.overrideReply = (request) => {
      if (request !== 'GET /v1/live') return undefined;
      const { status, body } = service.respond('ann', 'GET', '/v1/live', {});
      return { status, body: { ...Object(body), expires_in: 0 } };
    };
    network.cut();
    await advanceTime(minute);
    expect(await countRequests('GET /v1/live', 20 * minute)).toBeLessThanOrEqual(11);
    inbox.close();
  });
});

describe('A live inbox that was disconnected', () => {
  test('lists conversations again if the missed events have expired', async () => {
    const { service, network, conversation, inbox, state } = await startListening();
    network.conditions.isOffline = true;
    network.cut();
    service.send('bob', conversation, 'missed');
    await advanceTime(minute);
    service.expireFeeds();
    network.conditions = { ...goodConditions };
    inbox.reconnect();
    await advanceTime(20 * second);
    expect(state()).toEqual(['live', null]);
    expect(inbox.getSnapshot().conversations[0]).toMatchObject({
      last_message: { message: 'missed' },
      unread_count: 1,
    });
    inbox.close();
  });

  test('sends GET /v1/live once and reads the feed twice if no events occurred', async () => {
    const { network, inbox } = await startListening();
    await advanceTime(minute);
    const before = network.requests.length;
    network.cut();
    await advanceTime(10 * second);
    expect(network.requests.slice(before)).toEqual([
      'GET /v1/live',
      'GET /v1/events',
      'GET /v1/events',
    ]);
    inbox.close();
  });
});

describe('A failure of GET /v1/live', () => {
  test.each([
    [401, 'token_invalid', 'TokenInvalidError'],
    [404, 'not_found', 'NoEventsError'],
  ])(
    'that is permanent stops all retries until reconnect() is called: %d %s',
    async (status, code, name) => {
      const { network, state, receivesNextMessage, inbox, countRequests } = await startListening();
      network.overrideReply = (request) =>
        request === 'GET /v1/live' ? { status, body: { code } } : undefined;
      network.cut();
      await advanceTime(10 * second);
      expect(state()).toEqual(['failed', name]);
      expect(await countRequests('GET /v1/live', 60 * minute)).toBe(0);
      delete network.overrideReply;
      inbox.reconnect();
      await advanceTime(10 * second);
      expect(state()).toEqual(['live', null]);
      expect(await receivesNextMessage()).toBe(true);
      inbox.close();
    },
  );

  test.each([
    [403, null],
    [410, 'cursor_expired'],
  ])('that may be temporary makes the client retry: %d %s', async (status, code) => {
    const { network, state, receivesNextMessage, inbox } = await startListening();
    network.overrideReply = () => ({ status, body: { code } });
    network.cut();
    await advanceTime(10 * minute);
    expect(state()[0]).toBe('offline');
    delete network.overrideReply;
    await advanceTime(2 * minute);
    expect(state()).toEqual(['live', null]);
    expect(await receivesNextMessage()).toBe(true);
    inbox.close();
  });
});

describe('Without a WebSocket', () => {
  test('the client reads the feed about every 15 seconds, and calls GET /v1/live again after an hour', async () => {
    const { network, service, inbox, state, receivesNextMessage, countRequests } =
      await startListening({
        WebSocket: null,
      });
    expect(state()).toEqual(['polling', null]);
    expect(await receivesNextMessage(20 * second)).toBe(true);
    const reads = await countRequests('GET /v1/events', 30 * minute);
    expect(reads).toBeGreaterThan(90);
    expect(reads).toBeLessThan(160);
    // No event reports that a user has left one of the token's groups.
    service.getGroups('ann').add('team');
    const { id } = service.create('bob', { group: 'team' });
    const ids = () => inbox.getSnapshot().conversations.map((one) => one.id);
    await advanceTime(minute);
    expect(ids()).toContain(id);
    service.getGroups('ann').delete('team');
    expect(await countRequests('GET /v1/live', 59 * minute)).toBeLessThanOrEqual(2);
    await advanceTime(3 * minute);
    expect(ids()).not.toContain(id);
    expect(state()).toEqual(['polling', null]);
    inbox.close();
    expect(await countRequests('GET /v1/events', 60 * minute)).toBe(0);
    expect(network.requests).toContain('GET /v1/live');
  });

  test('the client reads the feed at intervals of about `pollInterval`', async () => {
    const { inbox, countRequests } = await startListening({
      WebSocket: null,
      pollInterval: 2 * minute,
    });
    const reads = await countRequests('GET /v1/events', 40 * minute);
    expect(reads).toBeGreaterThan(15);
    expect(reads).toBeLessThan(26);
    inbox.close();
  });
});
