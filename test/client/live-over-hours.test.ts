import { describe, expect, test } from '@jest/globals';
import { live } from '../../client/src/index.ts';
import { goodConditions } from './simulation/simulated-network.ts';
import { advanceTime, createSimulation, useSimulatedTime } from './simulation/simulation.ts';

useSimulatedTime();

const minute = 60_000;
const countOf = (requests: readonly string[], wanted: string) =>
  requests.filter((one) => one === wanted).length;

/** Ann listens, and Bob writes to her. */
async function listening(seed = 1) {
  const { service, network, client } = createSimulation(seed);
  const talk = service.create('bob', { contact: 'ann' });
  const inbox = live(client, { WebSocket: network.WebSocket });
  await advanceTime(10_000);
  expect(inbox.getSnapshot().status).toBe('live');
  let n = 0;
  const last = () => inbox.getSnapshot().conversations[0]?.last_message?.message;
  /** Whether she sees what he writes now within so many milliseconds. */
  const sees = async (within = 2000) => {
    n += 1;
    service.send('bob', talk, `${n}`);
    await advanceTime(within);
    return last() === `${n}`;
  };
  return { service, network, inbox, sees };
}

describe('Over many hours', () => {
  test('everything is heard by push: the next hour is subscribed to before it begins', async () => {
    const { service, network, inbox, sees } = await listening();
    const before = network.requests.length;
    const missed: number[] = [];
    const minutes = 7 * 60;
    const hour = 60 * minute;
    const had = new Map<string, string>();
    /** Milliseconds from the end of a channel's hour until it is left, and from the subscription to the next one until then. */
    const [left, ahead]: [number[], number[]] = [[], []];
    network.overrideFrame = ({ type, id = '', channel = '' }) => {
      const endOf = (name = '') => (Number(name.split('/').at(-1)) + 1) * hour;
      if (type === 'subscribe') {
        had.set(id, channel);
        ahead.push(endOf(channel) - hour - Date.now());
      }
      if (type === 'unsubscribe') {
        if (had.has(id)) left.push(Date.now() - endOf(had.get(id)));
        had.delete(id);
      }
      return undefined;
    };
    for (let n = 0; n < minutes; n += 1) {
      if (!(await sees())) missed.push(n);
      await advanceTime(minute - 2000);
    }
    expect(missed).toEqual([]);
    const since = network.requests.slice(before);
    // Nothing was repaired: what was asked for is where to listen, some four to six times an hour.
    expect(new Set(since)).toEqual(new Set(['GET /v1/live']));
    expect(since.length).toBeLessThanOrEqual(7 * 6);
    // Each hour by a chance of its own, ten minutes before it at the earliest; the last one is left when it is over on any clock.
    expect(Math.max(...ahead)).toBeLessThanOrEqual(10 * minute);
    expect(new Set(ahead).size).toBe(ahead.length);
    expect(Math.min(...left)).toBeGreaterThan(minute);
    expect(Math.max(...left)).toBeLessThan(15 * minute);
    expect(had.size).toBeLessThanOrEqual(2);

    // What is missed now is read from now on, and not from the beginning.
    network.conditions.lostPushes = 1;
    network.requests.length = 0;
    const [talk] = service.conversations;
    if (talk) service.send('bob', talk, 'missed');
    await advanceTime(minute);
    network.conditions.lostPushes = 0;
    expect(await sees(5 * 1000)).toBe(true);
    // The gap shows with the next message, or a renewal finds it before.
    expect(network.requests.filter((one) => one !== 'GET /v1/live')).toEqual(['GET /v1/events']);
    inbox.close();
  });

  test('somebody in a hundred groups hears of all: there is no room for two hours of each on a connection', async () => {
    const { service, network, client } = createSimulation(1);
    for (let n = 0; n < 100; n += 1) service.getGroups('ann').add(`group-${n}`);
    service.getGroups('bob').add('group-99');
    const talk = service.create('bob', { group: 'group-99' });
    // Within the last ten minutes of an hour.
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
    // At a turn the last channels find room only after the first ones are left: what was missed comes with the next push.
    expect(missed.length).toBeLessThanOrEqual(3);
    expect(missed.filter((n) => missed.includes(n + 1))).toEqual([]);
    inbox.close();
  });

  test('a connection that has fallen silent is noticed, and another one repairs what was missed', async () => {
    const { network, inbox, sees } = await listening();
    network.cut('silently');
    expect(await sees()).toBe(false);
    await advanceTime(70 * 1000);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('1');
    expect(await sees()).toBe(true);
    inbox.close();
  });

  test('without a network it tries again after pauses of at most a minute, and with one at once when it is told', async () => {
    const { network, inbox, sees } = await listening();
    network.conditions.isOffline = true;
    network.cut();
    await advanceTime(60 * minute);
    expect(inbox.getSnapshot().status).toBe('offline');
    expect(inbox.getSnapshot().error?.name).toBe('NoReplyError');
    network.conditions = { ...goodConditions };
    inbox.reconnect();
    await advanceTime(2000);
    expect(inbox.getSnapshot()).toMatchObject({ status: 'live', error: null });
    expect(await sees()).toBe(true);
    inbox.close();
  });

  test('a push that was the last one and is lost shows within a quarter of an hour or so', async () => {
    const { network, inbox, sees } = await listening();
    await advanceTime(minute);
    network.conditions.lostPushes = 1;
    expect(await sees()).toBe(false);
    await advanceTime(18 * minute);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('1');
    inbox.close();
  });

  test('who has left a group and is in it again sees its conversations again, though no look at the groups fell between', async () => {
    const { service, inbox } = await listening();
    const [bobs] = service.conversations;
    const doras = service.create('dora', { contact: 'ann' });
    const talk = service.create('carol', { group: 'team' });
    const isShown = () => inbox.getSnapshot().conversations.some(({ id }) => id === talk.id);
    service.getGroups('ann').add('team');
    await advanceTime(20 * minute);
    expect(isShown()).toBe(true);
    service.getGroups('ann').delete('team');
    // Both in one second: which is above the other only the list tells.
    if (bobs) service.send('bob', bobs, 'Hello');
    service.send('dora', doras, 'Hello');
    await advanceTime(15_000);
    expect(isShown()).toBe(false);
    service.getGroups('ann').add('team');
    await advanceTime(20 * minute);
    expect(isShown()).toBe(true);
    inbox.close();
  });

  test('of much that has happened meanwhile it lists anew rather than read it all', async () => {
    const { service, network, inbox } = await listening();
    network.cut();
    network.conditions.isOffline = true;
    const [talk] = service.conversations;
    if (talk) for (let n = 0; n < 1500; n += 1) service.send('bob', talk, `${n}`);
    await advanceTime(minute);
    network.conditions = { ...goodConditions };
    const before = network.requests.length;
    await advanceTime(2 * minute);
    expect(inbox.getSnapshot().conversations[0]).toMatchObject({
      last_message: { message: '1499' },
      unread_count: 100,
    });
    expect(countOf(network.requests.slice(before), 'GET /v1/events')).toBeLessThanOrEqual(15);
    inbox.close();
  });

  test('after it is closed it asks for nothing, and tells nothing', async () => {
    const { network, inbox, sees } = await listening();
    let told = 0;
    inbox.close();
    inbox.subscribe(() => {
      told += 1;
    });
    await advanceTime(1000);
    [told, network.requests.length] = [0, 0];
    expect(await sees(60 * minute)).toBe(false);
    expect(network.requests).toEqual([]);
    expect(told).toBe(0);
    expect(inbox.getSnapshot().status).toBe('closed');
  });
});

test('A snapshot is the same object until something changes that it shows', async () => {
  const { inbox, sees } = await listening();
  const before = inbox.getSnapshot();
  expect(inbox.getSnapshot()).toBe(before);
  await advanceTime(60 * minute);
  expect(inbox.getSnapshot()).toBe(before);
  expect(await sees()).toBe(true);
  expect(inbox.getSnapshot()).not.toBe(before);
  expect(before.conversations[0]?.last_message).toBeNull();
  inbox.close();
});
