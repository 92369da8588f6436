import { describe, expect, jest, test } from '@jest/globals';
import type { Event } from '../../../../../client/src/index.ts';
import { createPushSequencer } from '../../../../../client/src/live/connection/push-sequencer.ts';
import { advanceTime, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const event = (
  sequence: number,
  feed = 'f',
  payload: Event['payload'] = { id: 'x', deleted: true },
): Event => ({
  id: `${feed}-${sequence}`,
  type: 'conversation.deleted',
  created_at: 1,
  version: 1,
  feed,
  place: sequence,
  payload,
});

/** Feed f is known up to place 3. */
function sorting() {
  const news: string[] = [];
  const order = createPushSequencer({
    apply: ({ id }) => news.push(id),
    readFeed: () => news.push('read the feed'),
  });
  order.advanceTo('f', 3);
  return { order, news: () => news.splice(0) };
}

describe('A push', () => {
  test('that is next is heard, each once, of each feed by itself', () => {
    const { order, news } = sorting();
    order.advanceTo('g', 0);
    for (const sequence of [4, 4, 3, 5, 5]) order.receive(event(sequence));
    order.receive(event(1, 'g'));
    expect(news()).toEqual(['f-4', 'f-5', 'g-1']);
    expect([
      order.hasReached('f', 5),
      order.hasReached('f', 6),
      order.hasReached('g', 1),
      order.hasReached('h', 1),
    ]).toEqual([...[true, false, true, false]]);
    expect(order.hasReached('h', 0)).toBe(true);
    expect(order.getFeeds()).toEqual(['f', 'g']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('that came too early waits for those between, and nothing is read', async () => {
    const { order, news } = sorting();
    for (const sequence of [8, 6, 6, 5]) order.receive(event(sequence));
    await advanceTime(1900);
    expect(news()).toEqual([]);
    order.receive(event(4));
    expect(news()).toEqual(['f-4', 'f-5', 'f-6']);
    order.receive(event(7));
    expect(news()).toEqual(['f-7', 'f-8']);
    expect(jest.getTimerCount()).toBe(0);
    for (const sequence of [10, 12, 9]) order.receive(event(sequence));
    expect(news()).toEqual(['f-9', 'f-10']);
    await advanceTime(2100);
    expect(news()).toEqual(['read the feed']);
  });

  test('that came too early has the feed read after two seconds, once for all', async () => {
    const { order, news } = sorting();
    order.receive(event(6));
    await advanceTime(1500);
    order.receive(event(7));
    await advanceTime(450);
    expect(news()).toEqual([]);
    await advanceTime(100);
    expect(news()).toEqual(['read the feed']);
    await advanceTime(60_000);
    expect(news()).toEqual([]);
    order.receive(event(9));
    await advanceTime(2100);
    expect(news()).toEqual(['read the feed']);
  });

  test('without what it is about has the feed read at once', () => {
    const { order, news } = sorting();
    order.receive(event(4, 'f', null));
    expect(news()).toEqual(['read the feed']);
    expect(order.hasReached('f', 4)).toBe(false);
  });

  test('is one of very many that came too early: a hundred are kept', () => {
    const { order, news } = sorting();
    for (let sequence = 5; sequence < 200; sequence += 1) order.receive(event(sequence));
    order.receive(event(4));
    expect(news()).toHaveLength(101);
    expect([order.hasReached('f', 104), order.hasReached('f', 105)]).toEqual([true, false]);
  });
});

describe('What is read', () => {
  test('makes early pushes the next ones, or old', () => {
    const { order, news } = sorting();
    for (const sequence of [6, 9]) order.receive(event(sequence));
    const done = order.beginRead();
    order.advanceTo('f', 6);
    order.receive(event(8));
    done();
    // Place 9 was there before the feed was read to its end, which has not given it: it is not for the reader to see.
    expect(news()).toEqual([]);
    order.receive(event(7));
    expect(news()).toEqual(['f-7', 'f-8']);
    expect(order.hasReached('f', 9)).toBe(false);
    order.advanceTo('f', 5);
    expect(order.hasReached('f', 8)).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('lets early pushes follow that came meanwhile', () => {
    const { order, news } = sorting();
    const done = order.beginRead();
    for (const sequence of [5, 6]) order.receive(event(sequence));
    order.advanceTo('f', 5);
    done();
    expect(news()).toEqual(['f-6']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('leaves a gap to be waited for, where pushes came meanwhile', async () => {
    const { order, news } = sorting();
    order.receive(event(5));
    await advanceTime(2100);
    expect(news()).toEqual(['read the feed']);
    const done = order.beginRead();
    order.receive(event(9));
    order.advanceTo('f', 5);
    await advanceTime(1000);
    done();
    await advanceTime(2100);
    expect(news()).toEqual(['read the feed']);
  });

  test('is forgotten with all else', async () => {
    const { order, news } = sorting();
    order.receive(event(5));
    order.clear();
    expect(jest.getTimerCount()).toBe(0);
    expect([order.getFeeds(), order.hasReached('f', 1)]).toEqual([[], false]);
    order.advanceTo('f', 3);
    order.receive(event(6));
    await advanceTime(2100);
    expect(news()).toEqual(['read the feed']);
  });
});
