import { describe, expect, test } from '@jest/globals';
import { live } from '../../client/src/index.ts';
import { startListening } from './simulation/listening-client.ts';
import { goodConditions } from './simulation/simulated-network.ts';
import { advanceTime, createSimulation, useSimulatedTime } from './simulation/simulation.ts';

useSimulatedTime();

const minute = 60_000;
const countOf = (requests: readonly string[], wanted: string) =>
  requests.filter((one) => one === wanted).length;

describe('Over many hours', () => {
  test('every message arrives by push, and the client renews its channels at most six times per hour', async () => {
    const { service, network, conversation, inbox, receivesNextMessage } = await startListening();
    const before = network.requests.length;
    const missed: number[] = [];
    const minutes = 7 * 60;
    const hour = 60 * minute;
    const had = new Map<string, string>();
    // `unsubscribedAfter`: milliseconds from the end of a channel's hour to the unsubscription.
    // `ahead`: milliseconds from the subscription to the start of the channel's hour.
    const [unsubscribedAfter, ahead]: [number[], number[]] = [[], []];
    network.overrideFrame = ({ type, id = '', channel = '' }) => {
      const endOf = (name = '') => (Number(name.split('/').at(-1)) + 1) * hour;
      if (type === 'subscribe') {
        had.set(id, channel);
        ahead.push(endOf(channel) - hour - Date.now());
      }
      if (type === 'unsubscribe') {
        if (had.has(id)) unsubscribedAfter.push(Date.now() - endOf(had.get(id)));
        had.delete(id);
      }
      return undefined;
    };
    for (let n = 0; n < minutes; n += 1) {
      if (!(await receivesNextMessage())) missed.push(n);
      await advanceTime(minute - 2000);
    }
    expect(missed).toEqual([]);
    const since = network.requests.slice(before);
    expect(new Set(since)).toEqual(new Set(['GET /v1/live']));
    expect(since.length).toBeLessThanOrEqual(7 * 6);
    // The client subscribes at most ten minutes before a channel's hour, and unsubscribes after
    // that hour.
    expect(Math.max(...ahead)).toBeLessThanOrEqual(10 * minute);
    expect(new Set(ahead).size).toBe(ahead.length);
    expect(Math.min(...unsubscribedAfter)).toBeGreaterThan(minute);
    expect(Math.max(...unsubscribedAfter)).toBeLessThan(15 * minute);
    expect(had.size).toBeLessThanOrEqual(2);

    // The client reads the feed from its latest cursor, so one request returns the missed event.
    network.conditions.lostPushes = 1;
    network.requests.length = 0;
    service.send('bob', conversation, 'missed');
    await advanceTime(minute);
    network.conditions.lostPushes = 0;
    expect(await receivesNextMessage(5 * 1000)).toBe(true);
    // The next message reveals the gap, unless a renewal finds it first.
    expect(network.requests.filter((one) => one !== 'GET /v1/live')).toEqual(['GET /v1/events']);
    inbox.close();
  });

  test('with 100 groups, at most 3 of 180 messages arrive late, although two hours’ channels exceed the limit per connection', async () => {
    const { service, network, client } = createSimulation(1);
    for (let n = 0; n < 100; n += 1) service.getGroups('ann').add(`group-${n}`);
    service.getGroups('bob').add('group-99');
    const talk = service.create('bob', { group: 'group-99' });
    // The client starts in the last ten minutes of an hour.
    const hour = 60 * minute;
    await advanceTime(hour - (Date.now() % hour) - 8 * minute);
    const inbox = live(client, { WebSocket: network.WebSocket });
    await advanceTime(10_000);
    const statuses = new Set([inbox.getSnapshot().status]);
    inbox.subscribe(() => statuses.add(inbox.getSnapshot().status));
    const missed: number[] = [];
    for (let n = 0; n < 3 * 60; n += 1) {
      service.send('bob', talk, `${n}`);
      await advanceTime(2000);
      if (inbox.getSnapshot().conversations[0]?.last_message?.message !== `${n}`) missed.push(n);
      await advanceTime(minute - 2000);
    }
    expect(statuses).toEqual(new Set(['live']));
    // When the hour changes, the client must unsubscribe from old channels before it subscribes to
    // the last of the new channels. If the client misses a push in between, the next push reveals
    // the gap.
    expect(missed.length).toBeLessThanOrEqual(3);
    expect(missed.filter((n) => missed.includes(n + 1))).toEqual([]);
    inbox.close();
  });

  test('if the last push is lost, the client shows its message within 18 minutes', async () => {
    const { network, inbox, receivesNextMessage } = await startListening();
    await advanceTime(minute);
    network.conditions.lostPushes = 1;
    expect(await receivesNextMessage()).toBe(false);
    await advanceTime(18 * minute);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('1');
    inbox.close();
  });

  test('a user who has left and rejoined a group sees its conversations again', async () => {
    const { service, conversation, inbox } = await startListening();
    const doras = service.create('dora', { contact: 'ann' });
    const talk = service.create('carol', { group: 'team' });
    const isShown = () => inbox.getSnapshot().conversations.some(({ id }) => id === talk.id);
    service.getGroups('ann').add('team');
    await advanceTime(20 * minute);
    expect(isShown()).toBe(true);
    service.getGroups('ann').delete('team');
    // Both messages are sent in the same second, so only the API's list shows their order.
    service.send('bob', conversation, 'Hello');
    service.send('dora', doras, 'Hello');
    await advanceTime(15_000);
    expect(isShown()).toBe(false);
    service.getGroups('ann').add('team');
    await advanceTime(20 * minute);
    expect(isShown()).toBe(true);
    inbox.close();
  });

  test('after 3,000 missed events, the client shows the last message within 15 feed reads', async () => {
    const { service, network, conversation, inbox } = await startListening();
    network.cut();
    network.conditions.isOffline = true;
    for (let n = 0; n < 3000; n += 1) service.send('bob', conversation, `${n}`);
    await advanceTime(minute);
    network.conditions = { ...goodConditions };
    const before = network.requests.length;
    await advanceTime(2 * minute);
    expect(inbox.getSnapshot().conversations[0]).toMatchObject({
      last_message: { message: '2999' },
      unread_count: 100,
    });
    expect(countOf(network.requests.slice(before), 'GET /v1/events')).toBeLessThanOrEqual(15);
    inbox.close();
  });

  test('after close(), the client sends no requests and notifies no listener', async () => {
    const { network, inbox, receivesNextMessage } = await startListening();
    let notifications = 0;
    inbox.close();
    inbox.subscribe(() => {
      notifications += 1;
    });
    await advanceTime(1000);
    [notifications, network.requests.length] = [0, 0];
    expect(await receivesNextMessage(60 * minute)).toBe(false);
    expect(network.requests).toEqual([]);
    expect(notifications).toBe(0);
    expect(inbox.getSnapshot().status).toBe('closed');
  });
});

test('A snapshot is the same object until its content changes', async () => {
  const { inbox, receivesNextMessage } = await startListening();
  const before = inbox.getSnapshot();
  expect(inbox.getSnapshot()).toBe(before);
  await advanceTime(60 * minute);
  expect(inbox.getSnapshot()).toBe(before);
  expect(await receivesNextMessage()).toBe(true);
  expect(inbox.getSnapshot()).not.toBe(before);
  expect(before.conversations[0]?.last_message).toBeNull();
  inbox.close();
});
