import { describe, expect, test } from '@jest/globals';
import { live } from '../../../../../client/src/index.ts';
import { startListening } from '../../../simulation/listening-client.ts';
import { goodConditions } from '../../../simulation/simulated-network.ts';
import { advanceTime, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;

describe('Whoever listens for long', () => {
  test('has what failed done, though nothing happens', async () => {
    const { network, inbox, failToCount } = await startListening();
    await failToCount();
    delete network.overrideReply;
    await advanceTime(20 * minute);
    expect(inbox.getSnapshot().conversations[0]?.unread_count).toBe(0);
    inbox.close();
  });

  test('hears what came just after the subscription, and was lost', async () => {
    const { network, inbox, sees } = await startListening();
    network.cut();
    while (inbox.getSnapshot().status === 'live') await advanceTime(10);
    while (inbox.getSnapshot().status !== 'live') await advanceTime(10);
    network.conditions.lostPushes = 1;
    expect(await sees(3 * second)).toBe(false);
    await advanceTime(3 * second);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('1');
    inbox.close();
  });

  test.each([
    ['leaves a group', ['team'], []],
    ['joins a group in which nothing has happened for long', [], ['team']],
    ['leaves a group and joins another', ['team'], ['friends']],
  ])('and %s sees its conversations, or does so no more', async (_, before, after) => {
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

  test('by a clock that is ahead asks no more often for that', async () => {
    const { network, service, inbox, asked } = await startListening();
    network.overrideReply = (request) => {
      if (request !== 'GET /v1/live') return undefined;
      const { status, body } = service.answer('ann', 'GET', '/v1/live', {});
      return { status, body: { ...Object(body), expires_at: 1 } };
    };
    network.cut();
    await advanceTime(minute);
    expect(await asked('GET /v1/live', 20 * minute)).toBeLessThanOrEqual(11);
    inbox.close();
  });
});

describe('Whoever comes back', () => {
  test('after more time than the feed goes back lists anew', async () => {
    const { service, network, talk, inbox, state } = await startListening();
    network.conditions.isOffline = true;
    network.cut();
    service.send('bob', talk, 'missed');
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

  test('and has missed nothing asks only where to listen, and reads the feed for what comes just then', async () => {
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

describe('An answer to where one may listen', () => {
  test.each([
    [401, 'token_invalid', 'TokenInvalidError'],
    [403, 'not_allowed', 'NotAllowedError'],
    [400, 'parameter_invalid', 'ParameterInvalidError'],
    [404, 'not_found', 'NoEventsError'],
  ])(
    'that trying again does not change is told, until it is said: %d %s',
    async (status, code, name) => {
      const { network, state, sees, inbox, asked } = await startListening();
      network.overrideReply = (request) =>
        request === 'GET /v1/live' ? { status, body: { code } } : undefined;
      network.cut();
      await advanceTime(10 * second);
      expect(state()).toEqual(['failed', name]);
      expect(await asked('GET /v1/live', 60 * minute)).toBe(0);
      delete network.overrideReply;
      inbox.reconnect();
      await advanceTime(10 * second);
      expect(state()).toEqual(['live', null]);
      expect(await sees()).toBe(true);
      inbox.close();
    },
  );

  test.each([
    [403, null],
    [408, null],
    [408, 'request_timeout'],
    [409, 'conflict'],
    [410, 'cursor_expired'],
    [429, 'too_many_requests'],
    [500, 'internal'],
    [503, 'unavailable'],
  ])('that passes is asked for again: %d %s', async (status, code) => {
    const { network, state, sees, inbox } = await startListening();
    network.overrideReply = () => ({ status, body: { code } });
    network.cut();
    await advanceTime(10 * minute);
    expect(state()[0]).toBe('reconnecting');
    delete network.overrideReply;
    await advanceTime(2 * minute);
    expect(state()).toEqual(['live', null]);
    expect(await sees()).toBe(true);
    inbox.close();
  });
});

describe('Without a WebSocket', () => {
  test('the feed is read every so often, and after an hour it is asked anew where to listen', async () => {
    const { network, service, inbox, state, sees, asked } = await startListening({
      WebSocket: null,
    });
    expect(state()).toEqual(['polling', null]);
    expect(await sees(20 * second)).toBe(true);
    const reads = await asked('GET /v1/events', 30 * minute);
    expect(reads).toBeGreaterThan(90);
    expect(reads).toBeLessThan(160);
    // Whoever has left a group is told so by nobody.
    service.getGroups('ann').add('team');
    const { id } = service.create('bob', { group: 'team' });
    const ids = () => inbox.getSnapshot().conversations.map((one) => one.id);
    await advanceTime(minute);
    expect(ids()).toContain(id);
    service.getGroups('ann').delete('team');
    expect(await asked('GET /v1/live', 59 * minute)).toBeLessThanOrEqual(2);
    await advanceTime(3 * minute);
    expect(ids()).not.toContain(id);
    expect(state()).toEqual(['polling', null]);
    inbox.close();
    expect(await asked('GET /v1/events', 60 * minute)).toBe(0);
    expect(network.requests).toContain('GET /v1/live');
  });

  test('the feed is read as often as is said', async () => {
    const { inbox, asked } = await startListening({ WebSocket: null, pollInterval: 2 * minute });
    const reads = await asked('GET /v1/events', 40 * minute);
    expect(reads).toBeGreaterThan(15);
    expect(reads).toBeLessThan(26);
    inbox.close();
  });
});
