import { getMonotonicTime } from '../../requests/monotonic-clock.ts';
import type { PushEvent } from '../push-event.ts';

/** Milliseconds to wait for pushes that a later push has overtaken. */
const gapTimeoutMs = 2000;
/**
 * Maximum number of early pushes (those after a gap) to keep. Further early pushes are dropped,
 * because the feed contains them.
 */
const maxEarlyEvents = 100;

export interface PushSequencerOptions {
  /** Applies an event. Returns false if only the feed has the complete payload. */
  apply(event: PushEvent): boolean;
  /** Reads the feed. Called to fill a gap or to complete a push. */
  readFeed(): void;
  /**
   * Returns the maximum random delay in milliseconds before a repair. Feeds with more possible
   * listeners have a longer delay, so that the listeners do not all read at the same time.
   */
  getMaxRepairDelay(feed: string | undefined): number;
}

/** Applies pushes in the order of their sequence numbers, and reads the feed to repair gaps. */
export interface PushSequencer {
  readonly options: PushSequencerOptions;
  /** Last applied sequence number, by feed. */
  readonly lastSequences: Map<string, number>;
  readonly earlyEvents: Map<string, PushEvent>;
  /**
   * The scheduled read of the feed. `deadline` is the monotonic time, in milliseconds, at which the
   * read would start with the maximum random delay.
   */
  repair?: { timer: ReturnType<typeof setTimeout>; deadline: number } | undefined;
  /** Number of incomplete pushes since the last completed read of the feed began. */
  skipped: number;
}

export const createPushSequencer = (options: PushSequencerOptions): PushSequencer => ({
  options,
  lastSequences: new Map(),
  earlyEvents: new Map(),
  skipped: 0,
});

/** Records that all events of the feed up to the sequence number are applied. */
export function advanceTo(state: PushSequencer, feed: string, sequence: number): void {
  state.lastSequences.set(feed, Math.max(sequence, getLast(state, feed)));
}

/**
 * Reports whether all events up to the sequence number were applied, and no feed has an incomplete
 * push.
 */
export const hasReached = (state: PushSequencer, feed: string, sequence: number): boolean =>
  state.skipped === 0 && sequence <= getLast(state, feed);

/**
 * Applies a push that is the next in its feed, and the early pushes that follow it. Drops a push
 * that has already been applied. For an early push, schedules a feed read, and stores the push if
 * fewer than `maxEarlyEvents` are stored.
 */
export function receivePush(state: PushSequencer, event: PushEvent): void {
  if (isKnown(state, event)) return;
  if (isNext(state, event)) {
    applyNext(state, event);
    applyEarly(state);
    return;
  }
  const { feed, place } = event;
  if (state.earlyEvents.size < maxEarlyEvents) state.earlyEvents.set(`${feed} ${place}`, event);
  scheduleRepair(state, feed, gapTimeoutMs);
}

/** Requests a feed read after a random delay. If `feed` is undefined, assumes many listeners. */
export const requestRepair = (state: PushSequencer, feed?: string): void =>
  scheduleRepair(state, feed, 0);

/**
 * Records that a read of the feed begins. Returns the function to call when the read is complete.
 */
export function beginRead(state: PushSequencer): () => void {
  const before = new Set(state.earlyEvents.keys());
  const { skipped } = state;
  return () => {
    state.skipped -= skipped;
    // These events were in the feed before the read. If the read did not return an event, the user
    // has no access to it.
    for (const key of before) state.earlyEvents.delete(key);
    applyEarly(state);
  };
}

/** Removes all sequence numbers and early pushes, and cancels a scheduled read of the feed. */
export function clearSequencer(state: PushSequencer): void {
  state.lastSequences.clear();
  state.earlyEvents.clear();
  state.skipped = 0;
  cancelRepair(state);
}

const getLast = (state: PushSequencer, feed: string) => state.lastSequences.get(feed) ?? 0;
const isNext = (state: PushSequencer, { feed, place }: PushEvent) =>
  place === getLast(state, feed) + 1;
const isKnown = (state: PushSequencer, { feed, place }: PushEvent) => place <= getLast(state, feed);

/**
 * Applies the next push. If the push is incomplete, requests a read of the feed. Later pushes do
 * not wait for that read, because versions prevent older data from replacing newer data.
 */
function applyNext(state: PushSequencer, event: PushEvent) {
  state.lastSequences.set(event.feed, event.place);
  if (event.payload !== null && state.options.apply(event)) return;
  state.skipped += 1;
  requestRepair(state, event.feed);
}

/**
 * Applies the early pushes that are now next in sequence, and drops those already applied. If no
 * gap or incomplete push remains, cancels the scheduled read of the feed.
 */
function applyEarly(state: PushSequencer) {
  const { earlyEvents } = state;
  const applicable = () =>
    [...earlyEvents].find(([, event]) => isNext(state, event) || isKnown(state, event));
  for (let found = applicable(); found; found = applicable()) {
    const [key, event] = found;
    earlyEvents.delete(key);
    if (!isKnown(state, event)) applyNext(state, event);
  }
  if (earlyEvents.size === 0 && state.skipped === 0) cancelRepair(state);
}

/**
 * Schedules a read of the feed at a random time. Keeps a read that is already scheduled, unless the
 * new one has an earlier deadline. With a new random time for each push, frequent pushes would
 * shorten the delay.
 */
function scheduleRepair(state: PushSequencer, feed: string | undefined, minDelayMs: number) {
  const maxRandomMs = state.options.getMaxRepairDelay(feed);
  const deadline = getMonotonicTime() + minDelayMs + maxRandomMs;
  if (state.repair && state.repair.deadline <= deadline) return;
  cancelRepair(state);
  const run = () => {
    state.repair = undefined;
    state.options.readFeed();
  };
  const timer = setTimeout(run, minDelayMs + Math.random() * maxRandomMs);
  state.repair = { timer, deadline };
}

function cancelRepair(state: PushSequencer) {
  clearTimeout(state.repair?.timer);
  state.repair = undefined;
}
