import { describe, expect, test } from '@jest/globals';
import { type LiveOptions, live } from '../../../../../client/src/index.ts';
import {
  hasUnsubscribedFeed,
  planSubscriptions,
} from '../../../../../client/src/live/connection/subscriptions.ts';
import type { Network } from '../../../simulation/simulated-network.ts';
import { advanceTime, createSimulation, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;

const toChannel = (name: string) => {
  const [feed = ''] = name.split('/');
  return { name, feed, group_id: null, place: 0 };
};
const toChannels = (names: string[]) => names.map(toChannel);
const createNames = (count: number, hour: number) =>
  Array.from({ length: count }, (_, n) => `feed-${n}/${hour}`);

describe('The subscription plan', () => {
  test.each([
    ['adds all channels to a new connection', [], ['a/1', 'b/1'], ['a/1', 'b/1'], []],
    ['does not add a subscribed channel again', ['a/1'], ['a/1'], [], []],
    [
      'adds the next hour’s channel and supersedes the old one',
      ['a/1'],
      ['a/1', 'a/2'],
      ['a/2'],
      ['a/1'],
    ],
    [
      'supersedes the channel of a group that the user has left',
      ['a/1', 'b/1'],
      ['a/1'],
      [],
      ['b/1'],
    ],
  ])('%s', (_, current, wanted, add, superseded) => {
    expect(planSubscriptions(current, toChannels(wanted))).toEqual({
      add,
      removeFirst: [],
      superseded,
      isComplete: true,
    });
  });

  test('removes unwanted channels first if both hours’ channels exceed the limit', () => {
    const [old, next] = [createNames(150, 1), createNames(150, 2)];
    const plan = planSubscriptions(old, toChannels(next));
    expect(plan).toMatchObject({ add: next, removeFirst: old, isComplete: true });
  });

  test('adds channels up to the connection’s limit, and is incomplete if it cannot add all wanted channels', () => {
    const [old, next] = [createNames(120, 1), createNames(120, 2)];
    const plan = planSubscriptions(old, toChannels([...old, ...next]));
    expect(plan).toMatchObject({ removeFirst: [], isComplete: false });
    expect(plan.add).toEqual(next.slice(0, 80));
  });
});

test('hasUnsubscribedFeed returns true if at least one feed has no subscribed channel', () => {
  const wanted = toChannels(['a/1', 'a/2', 'b/1']);
  const subscribe = (...names: string[]) => new Map(names.map((name) => [name, name]));
  expect(hasUnsubscribedFeed(subscribe('a/1', 'b/1'), wanted)).toBe(false);
  expect(hasUnsubscribedFeed(subscribe('a/2'), wanted)).toBe(true);
});

describe('With 100 groups', () => {
  async function startWithGroups(prepare: (network: Network) => void, options: LiveOptions = {}) {
    const { service, network, client } = createSimulation(3);
    for (let n = 0; n < 100; n += 1) service.getGroups('ann').add(`group-${n}`);
    service.getGroups('bob').add('group-99');
    const conversation = service.create('bob', { group: 'group-99' });
    prepare(network);
    const inbox = live(client, { WebSocket: network.WebSocket, ...options });
    const receivesNextMessage = async (text: string, withinMs = 2 * second) => {
      service.send('bob', conversation, text);
      await advanceTime(withinMs);
      return inbox.getSnapshot().conversations[0]?.last_message?.message === text;
    };
    return { network, inbox, receivesNextMessage };
  }

  test('the client requests at most 15 subscriptions at a time', async () => {
    const pending = new Set<string>();
    const counts: number[] = [];
    const { inbox, receivesNextMessage } = await startWithGroups((network) => {
      network.overrideFrame = ({ type, id = '' }) => {
        if (type !== 'subscribe') return undefined;
        pending.add(id);
        counts.push(pending.size);
        setTimeout(() => pending.delete(id), 1);
        return undefined;
      };
    });
    await advanceTime(10 * second);
    expect(counts).toHaveLength(101);
    expect(Math.max(...counts)).toBe(15);
    expect(inbox.getSnapshot().status).toBe('live');
    expect(await receivesNextMessage('Hello')).toBe(true);
    inbox.close();
  });

  test('LimitExceededError without an id makes the client back off on the same connection', async () => {
    let allowance = 20;
    const times: number[] = [];
    const { network, inbox, receivesNextMessage } = await startWithGroups((one) => {
      one.overrideFrame = ({ type }) => {
        if (type !== 'subscribe') return undefined;
        times.push(Date.now());
        allowance -= 1;
        if (allowance >= 0) return undefined;
        setTimeout(() => {
          allowance = 40;
        }, 3 * second);
        return { type: 'error', id: undefined, errors: [{ errorType: 'LimitExceededError' }] };
      };
    });
    await advanceTime(2 * minute);
    expect(inbox.getSnapshot()).toMatchObject({ status: 'live', error: null });
    expect(network.requests.filter((one) => one === 'GET /v1/live')).toHaveLength(1);
    expect(times.length).toBeLessThan(200);
    expect(await receivesNextMessage('Hello')).toBe(true);
    inbox.close();
  });

  test('if the push service refuses a channel, the connection stays open, and the client polls the feed', async () => {
    let isRefusing = true;
    const { network, inbox, receivesNextMessage } = await startWithGroups((one) => {
      one.overrideFrame = ({ type, channel = '' }) =>
        isRefusing && type === 'subscribe' && channel.includes('group-99')
          ? { type: 'subscribe_error', errors: [{ errorType: 'UnauthorizedException' }] }
          : undefined;
    });
    await advanceTime(10 * second);
    expect(inbox.getSnapshot()).toMatchObject({ status: 'catching-up' });
    expect(inbox.getSnapshot().error?.name).toBe('PushError');
    expect(await receivesNextMessage('Hello', 31 * second)).toBe(true);
    expect(network.connections()).toBe(1);
    isRefusing = false;
    await advanceTime(2 * minute);
    expect(inbox.getSnapshot()).toMatchObject({ status: 'live', error: null });
    expect(await receivesNextMessage('Hello again')).toBe(true);
    expect(network.connections()).toBe(1);
    inbox.close();
  });

  test('polling stops when all channels are subscribed, even during a feed read', async () => {
    let isRefusing = true;
    const { network, inbox } = await startWithGroups(
      (one) => {
        one.conditions.replyDelay = () => 5 * second;
        one.overrideFrame = ({ type, channel = '' }) =>
          isRefusing && type === 'subscribe' && channel.includes('group-99')
            ? { type: 'subscribe_error', errors: [{ errorType: 'UnauthorizedException' }] }
            : undefined;
      },
      { pollInterval: second },
    );
    await advanceTime(minute);
    isRefusing = false;
    while (inbox.getSnapshot().status !== 'live') await advanceTime(second);
    await advanceTime(minute);
    const requests = network.requests.length;
    await advanceTime(10 * minute);
    expect(network.requests.slice(requests)).not.toContain('GET /v1/events');
    inbox.close();
  });
});
