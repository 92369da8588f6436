import { describe, expect, test } from '@jest/globals';
import {
  hasUnsubscribedFeed,
  planSubscriptions,
} from '../../../../../client/src/live/connection/subscriptions.ts';

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
