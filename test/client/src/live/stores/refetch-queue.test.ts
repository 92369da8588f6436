import { describe, expect, jest, test } from '@jest/globals';
import { createRefetchQueue } from '../../../../../client/src/live/stores/refetch-queue.ts';
import { advanceTime, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

function running(fails: () => boolean = () => false) {
  const began = Date.now();
  const done: [number, string[]][] = [];
  const todo = createRefetchQueue(async (ids) => {
    done.push([Date.now() - began, ids]);
    if (fails()) throw new Error('There is no network.');
  });
  return { todo, done };
}

describe('A refetch', () => {
  test('runs after its delay, together with other refetches that are due', async () => {
    const { todo, done } = running();
    todo.schedule('a', 100);
    todo.schedule('b', 300);
    todo.schedule('c', 100);
    await advanceTime(200);
    expect(done).toEqual([[100, ['a', 'c']]]);
    await advanceTime(200);
    expect(done).toEqual([
      [100, ['a', 'c']],
      [300, ['b']],
    ]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('that is requested again runs later, at most 30 seconds after the first request', async () => {
    const { todo, done } = running();
    for (let n = 0; n < 20; n += 1) {
      todo.schedule('a', 3000);
      await advanceTime(2000);
    }
    await advanceTime(10_000);
    // The refetch runs 30 seconds after the first request, and again three seconds after the last
    // request.
    expect(done).toEqual([
      [30_000, ['a']],
      [41_000, ['a']],
    ]);
  });

  test('that fails waits for the next flush', async () => {
    let isOffline = true;
    const { todo, done } = running(() => isOffline);
    todo.schedule('a', 100);
    await advanceTime(3_600_000);
    expect(done).toEqual([[100, ['a']]]);
    expect(jest.getTimerCount()).toBe(0);
    isOffline = false;
    todo.schedule('b', 60_000);
    todo.flush();
    await advanceTime(10);
    expect(done.slice(1).map(([, ids]) => ids)).toEqual([['a', 'b']]);
    await advanceTime(3_600_000);
    expect(done).toHaveLength(2);
  });

  test('does not run after end()', async () => {
    const { todo, done } = running();
    todo.schedule('a', 100);
    todo.end();
    todo.flush();
    await advanceTime(1000);
    expect(done).toEqual([]);
  });
});
