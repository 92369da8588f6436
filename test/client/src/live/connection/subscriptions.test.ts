import { describe, expect, test } from '@jest/globals';
import {
  hasDeafFeed,
  planSubscriptions,
} from '../../../../../client/src/live/connection/subscriptions.ts';

const toChannel = (name: string) => {
  const [feed = ''] = name.split('/');
  return { name, feed, group_id: null, place: 0 };
};
const toChannels = (names: string[]) => names.map(toChannel);
const many = (count: number, hour: number) =>
  Array.from({ length: count }, (_, n) => `feed-${n}/${hour}`);

describe('The subscription plan', () => {
  test.each([
    ['adds all channels to a new connection', [], ['a/1', 'b/1'], ['a/1', 'b/1'], []],
    ['adds nothing twice', ['a/1'], ['a/1'], [], []],
    ['keeps the old channel until its hour has ended', ['a/1'], ['a/1', 'a/2'], ['a/2'], ['a/1']],
    ['leaves a former group’s channel later', ['a/1', 'b/1'], ['a/1'], [], ['b/1']],
  ])('%s', (_, current, wanted, add, superseded) => {
    expect(planSubscriptions(current, toChannels(wanted))).toEqual({
      add,
      removeFirst: [],
      superseded,
      isComplete: true,
    });
  });

  test('leaves unwanted channels first if there is no room for both hours', () => {
    const [old, next] = [many(150, 1), many(150, 2)];
    const plan = planSubscriptions(old, toChannels(next));
    expect(plan).toMatchObject({ add: next, removeFirst: old, isComplete: true });
  });

  test('is incomplete if the wanted channels exceed the connection’s limit', () => {
    const [old, next] = [many(120, 1), many(120, 2)];
    const plan = planSubscriptions(old, toChannels([...old, ...next]));
    expect(plan).toMatchObject({ removeFirst: [], isComplete: false });
    expect(plan.add).toEqual(next.slice(0, 80));
  });
});

test('hasDeafFeed reports whether the connection has no channel of a feed', () => {
  const wanted = toChannels(['a/1', 'a/2', 'b/1']);
  const subscribe = (...names: string[]) => new Map(names.map((name) => [name, name]));
  expect(hasDeafFeed(subscribe('a/1', 'b/1'), wanted)).toBe(false);
  expect(hasDeafFeed(subscribe('a/2'), wanted)).toBe(true);
});
