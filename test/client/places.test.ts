import { describe, expect, jest, test } from '@jest/globals';
import type { Event } from '../../client/src/index.ts';
import { places } from '../../client/src/live/places.ts';
import { paperTime, pass } from './on-paper/world.ts';

paperTime();

const event = (
  place: number,
  feed = 'f',
  payload: Event['payload'] = { id: 'x', deleted: true },
): Event => ({
  id: `${feed}-${place}`,
  type: 'conversation.deleted',
  created_at: 1,
  version: 1,
  feed,
  place,
  payload,
});

/** Feed f is known up to place 3. */
function sorting() {
  const news: string[] = [];
  const order = places({
    apply: ({ id }) => news.push(id),
    repair: () => news.push('read the feed'),
  });
  order.set('f', 3);
  return { order, news: () => news.splice(0) };
}

describe('A push', () => {
  test('that is next is heard, each once, of each feed by itself', () => {
    const { order, news } = sorting();
    order.set('g', 0);
    for (const place of [4, 4, 3, 5, 5]) order.hear(event(place));
    order.hear(event(1, 'g'));
    expect(news()).toEqual(['f-4', 'f-5', 'g-1']);
    expect([order.has('f', 5), order.has('f', 6), order.has('g', 1), order.has('h', 1)]).toEqual([
      ...[true, false, true, false],
    ]);
    expect(order.has('h', 0)).toBe(true);
    expect(order.feeds()).toEqual(['f', 'g']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('that came too early waits for those between, and nothing is read', async () => {
    const { order, news } = sorting();
    for (const place of [8, 6, 6, 5]) order.hear(event(place));
    await pass(1900);
    expect(news()).toEqual([]);
    order.hear(event(4));
    expect(news()).toEqual(['f-4', 'f-5', 'f-6']);
    order.hear(event(7));
    expect(news()).toEqual(['f-7', 'f-8']);
    expect(jest.getTimerCount()).toBe(0);
    for (const place of [10, 12, 9]) order.hear(event(place));
    expect(news()).toEqual(['f-9', 'f-10']);
    await pass(2100);
    expect(news()).toEqual(['read the feed']);
  });

  test('that came too early has the feed read after two seconds, once for all', async () => {
    const { order, news } = sorting();
    order.hear(event(6));
    await pass(1500);
    order.hear(event(7));
    await pass(450);
    expect(news()).toEqual([]);
    await pass(100);
    expect(news()).toEqual(['read the feed']);
    await pass(60_000);
    expect(news()).toEqual([]);
    order.hear(event(9));
    await pass(2100);
    expect(news()).toEqual(['read the feed']);
  });

  test('without what it is about has the feed read at once', () => {
    const { order, news } = sorting();
    order.hear(event(4, 'f', null));
    expect(news()).toEqual(['read the feed']);
    expect(order.has('f', 4)).toBe(false);
  });

  test('is one of very many that came too early: a hundred are kept', () => {
    const { order, news } = sorting();
    for (let place = 5; place < 200; place += 1) order.hear(event(place));
    order.hear(event(4));
    expect(news()).toHaveLength(101);
    expect([order.has('f', 104), order.has('f', 105)]).toEqual([true, false]);
  });
});

describe('What is read', () => {
  test('makes early pushes the next ones, or old', () => {
    const { order, news } = sorting();
    for (const place of [6, 9]) order.hear(event(place));
    const done = order.reading();
    order.set('f', 6);
    order.hear(event(8));
    done();
    // Place 9 was there before the feed was read to its end, which has not given it: it is not for the reader to see.
    expect(news()).toEqual([]);
    order.hear(event(7));
    expect(news()).toEqual(['f-7', 'f-8']);
    expect(order.has('f', 9)).toBe(false);
    order.set('f', 5);
    expect(order.has('f', 8)).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('lets early pushes follow that came meanwhile', () => {
    const { order, news } = sorting();
    const done = order.reading();
    for (const place of [5, 6]) order.hear(event(place));
    order.set('f', 5);
    done();
    expect(news()).toEqual(['f-6']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('leaves a gap to be waited for, where pushes came meanwhile', async () => {
    const { order, news } = sorting();
    order.hear(event(5));
    await pass(2100);
    expect(news()).toEqual(['read the feed']);
    const done = order.reading();
    order.hear(event(9));
    order.set('f', 5);
    await pass(1000);
    done();
    await pass(2100);
    expect(news()).toEqual(['read the feed']);
  });

  test('is forgotten with all else', async () => {
    const { order, news } = sorting();
    order.hear(event(5));
    order.clear();
    expect(jest.getTimerCount()).toBe(0);
    expect([order.feeds(), order.has('f', 1)]).toEqual([[], false]);
    order.set('f', 3);
    order.hear(event(6));
    await pass(2100);
    expect(news()).toEqual(['read the feed']);
  });
});
