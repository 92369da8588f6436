import { describe, expect, jest, test } from '@jest/globals';
import type { Deleted, Event } from '../../../../../client/src/index.ts';
import {
  advanceTo,
  beginRead,
  clearSequencer,
  createPushSequencer,
  hasReached,
  receivePush,
  requestRepair,
} from '../../../../../client/src/live/connection/push-sequencer.ts';
import { advanceTime, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const event = (
  sequence: number,
  feed = 'f',
  payload: Deleted | null = { id: 'x', deleted: true },
): Event => ({
  id: `${feed}-${sequence}`,
  type: 'conversation.deleted',
  created_at: 1,
  version: 1,
  feed,
  place: sequence,
  payload,
});

/**
 * Returns a sequencer that has applied feed `f` up to sequence number 3. Repairs of feed `group`
 * wait up to 10 seconds.
 */
function createSequencer() {
  const applied: string[] = [];
  const sequencer = createPushSequencer({
    apply: ({ id }) => applied.push(id) > 0,
    readFeed: () => applied.push('read the feed'),
    getMaxRepairDelay: (feed) => (feed === 'group' ? 10_000 : 0),
  });
  advanceTo(sequencer, 'f', 3);
  const receive = (...sequences: number[]) => {
    for (const sequence of sequences) receivePush(sequencer, event(sequence));
  };
  return { sequencer, receive, takeApplied: () => applied.splice(0) };
}

describe('A push', () => {
  test('is applied once if it is the next in its feed', () => {
    const { sequencer, receive, takeApplied } = createSequencer();
    advanceTo(sequencer, 'g', 0);
    receive(4, 4, 3, 5, 5);
    receivePush(sequencer, event(1, 'g'));
    expect(takeApplied()).toEqual(['f-4', 'f-5', 'g-1']);
    expect([
      hasReached(sequencer, 'f', 5),
      hasReached(sequencer, 'f', 6),
      hasReached(sequencer, 'g', 1),
      hasReached(sequencer, 'h', 1),
    ]).toEqual([true, false, true, false]);
    expect(hasReached(sequencer, 'h', 0)).toBe(true);
    expect([...sequencer.lastSequences.keys()]).toEqual(['f', 'g']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('that arrives early causes no feed read if the missing pushes arrive within two seconds', async () => {
    const { receive, takeApplied } = createSequencer();
    receive(8, 6, 6, 5);
    await advanceTime(1900);
    expect(takeApplied()).toEqual([]);
    receive(4);
    expect(takeApplied()).toEqual(['f-4', 'f-5', 'f-6']);
    receive(7);
    expect(takeApplied()).toEqual(['f-7', 'f-8']);
    expect(jest.getTimerCount()).toBe(0);
    receive(10, 12, 9);
    expect(takeApplied()).toEqual(['f-9', 'f-10']);
    await advanceTime(2100);
    expect(takeApplied()).toEqual(['read the feed']);
  });

  test('that arrives before its predecessors causes one feed read if they are missing for two seconds', async () => {
    const { receive, takeApplied } = createSequencer();
    receive(6);
    await advanceTime(1500);
    receive(7);
    await advanceTime(450);
    expect(takeApplied()).toEqual([]);
    await advanceTime(100);
    expect(takeApplied()).toEqual(['read the feed']);
    await advanceTime(60_000);
    expect(takeApplied()).toEqual([]);
    receive(9);
    await advanceTime(2100);
    expect(takeApplied()).toEqual(['read the feed']);
  });

  test('without a payload causes a feed read and does not delay later pushes', async () => {
    const { sequencer, receive, takeApplied } = createSequencer();
    receivePush(sequencer, event(4, 'f', null));
    receive(5);
    expect(takeApplied()).toEqual(['f-5']);
    expect(hasReached(sequencer, 'f', 5)).toBe(false);
    await advanceTime(10);
    expect(takeApplied()).toEqual(['read the feed']);
    beginRead(sequencer)();
    expect(hasReached(sequencer, 'f', 5)).toBe(true);
  });

  test('that arrives early is dropped if 100 early pushes are already waiting', () => {
    const { sequencer, receive, takeApplied } = createSequencer();
    for (let sequence = 5; sequence < 200; sequence += 1) receive(sequence);
    receive(4);
    expect(takeApplied()).toHaveLength(101);
    expect([hasReached(sequencer, 'f', 104), hasReached(sequencer, 'f', 105)]).toEqual([
      true,
      false,
    ]);
  });
});

describe('A feed read', () => {
  test('drops the early pushes that arrived before the read, and keeps those that arrive during the read', () => {
    const { sequencer, receive, takeApplied } = createSequencer();
    receive(6, 9);
    const endRead = beginRead(sequencer);
    advanceTo(sequencer, 'f', 6);
    receive(8);
    endRead();
    // The feed had event 9 before this read. If the user had access to event 9, the read would have
    // returned it.
    expect(takeApplied()).toEqual([]);
    receive(7);
    expect(takeApplied()).toEqual(['f-7', 'f-8']);
    expect(hasReached(sequencer, 'f', 9)).toBe(false);
    advanceTo(sequencer, 'f', 5);
    expect(hasReached(sequencer, 'f', 8)).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('applies a push that arrived during the read if the push is next when the read ends', () => {
    const { sequencer, receive, takeApplied } = createSequencer();
    const endRead = beginRead(sequencer);
    receive(5, 6);
    advanceTo(sequencer, 'f', 5);
    endRead();
    expect(takeApplied()).toEqual(['f-6']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('is followed by another read if a push arrives meanwhile and events before that push are still missing', async () => {
    const { sequencer, receive, takeApplied } = createSequencer();
    receive(5);
    await advanceTime(2100);
    expect(takeApplied()).toEqual(['read the feed']);
    const endRead = beginRead(sequencer);
    receive(9);
    advanceTo(sequencer, 'f', 5);
    await advanceTime(1000);
    endRead();
    await advanceTime(2100);
    expect(takeApplied()).toEqual(['read the feed']);
  });

  test('that fails leaves the repair to the next read', () => {
    const { sequencer } = createSequencer();
    receivePush(sequencer, event(4, 'f', null));
    beginRead(sequencer);
    expect(hasReached(sequencer, 'f', 4)).toBe(false);
    beginRead(sequencer)();
    expect(hasReached(sequencer, 'f', 4)).toBe(true);
  });

  test('is canceled by clearSequencer before its scheduled time, and a later gap schedules a new read', async () => {
    const { sequencer, receive, takeApplied } = createSequencer();
    receive(5);
    clearSequencer(sequencer);
    expect(jest.getTimerCount()).toBe(0);
    expect([sequencer.lastSequences.size, hasReached(sequencer, 'f', 1)]).toEqual([0, false]);
    advanceTo(sequencer, 'f', 3);
    receive(6);
    await advanceTime(2100);
    expect(takeApplied()).toEqual(['read the feed']);
  });
});

describe('The repair of a feed with many listeners', () => {
  test('waits for a random time up to the maximum delay', async () => {
    const delays: number[] = [];
    for (const random of [0.1, 0.5, 0.9]) {
      jest.spyOn(Math, 'random').mockReturnValue(random);
      const { sequencer, takeApplied } = createSequencer();
      const before = Date.now();
      receivePush(sequencer, event(1, 'group', null));
      while (takeApplied().length === 0) await advanceTime(100);
      delays.push(Math.round((Date.now() - before) / 1000));
    }
    expect(delays).toEqual([1, 5, 9]);
  });

  test('runs at its scheduled time even if later pushes arrive', async () => {
    const { sequencer, takeApplied } = createSequencer();
    jest.spyOn(Math, 'random').mockReturnValue(0.9);
    receivePush(sequencer, event(1, 'group', null));
    jest.spyOn(Math, 'random').mockReturnValue(0);
    for (const sequence of [2, 3, 4]) receivePush(sequencer, event(sequence, 'group', null));
    await advanceTime(8900);
    expect(takeApplied()).toEqual([]);
    await advanceTime(200);
    expect(takeApplied()).toEqual(['read the feed']);
  });

  test('runs before its scheduled time if a feed with few listeners needs a read', async () => {
    const { sequencer, takeApplied } = createSequencer();
    jest.spyOn(Math, 'random').mockReturnValue(0.9);
    receivePush(sequencer, event(1, 'group', null));
    requestRepair(sequencer, 'f');
    await advanceTime(10);
    expect(takeApplied()).toEqual(['read the feed']);
    await advanceTime(60_000);
    expect(takeApplied()).toEqual([]);
  });
});
