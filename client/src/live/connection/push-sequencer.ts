import type { Event } from '../../generated/types.ts';

/** Milliseconds for pushes to come that were overtaken. */
const gapTimeoutMs = 2000;
/** So many that came too early are kept; beyond that the feed has them. */
const maxEarlyEvents = 100;

/** Sorts pushes by their places, and knows where one is missing. */
export interface PushSequencer {
  /** Of a feed, as the API has told it, or as it was read. */
  advanceTo(feed: string, sequence: number): void;
  /** Whether everything up to there has been heard or read. */
  hasReached(feed: string, sequence: number): boolean;
  /** The feeds that are known. */
  getFeeds(): string[];
  receive(event: Event): void;
  /** The feed is being read: what it gives is called once that has come to the end. */
  beginRead(): () => void;
  clear(): void;
}

export interface PushSequencerOptions {
  apply(event: Event): void;
  /** Something is missing that only the feed has. */
  readFeed(): void;
}

export function createPushSequencer({
  apply,
  readFeed: repair,
}: PushSequencerOptions): PushSequencer {
  const lastSequences = new Map<string, number>();
  const earlyEvents = new Map<string, Event>();
  let gapTimer: ReturnType<typeof setTimeout> | undefined;

  const isNext = ({ feed, place }: Event) => place === (lastSequences.get(feed) ?? 0) + 1;
  const isKnown = ({ feed, place }: Event) => place <= (lastSequences.get(feed) ?? 0);

  const applyNext = (event: Event) => {
    if (event.payload === null) return repair();
    lastSequences.set(event.feed, event.place);
    apply(event);
  };

  const wait = () => {
    gapTimer ??= setTimeout(() => {
      gapTimer = undefined;
      repair();
    }, gapTimeoutMs);
  };

  /** What has become next, or has come another way. */
  const applyEarly = () => {
    for (let goesOn = true; goesOn; ) {
      goesOn = false;
      for (const [key, event] of earlyEvents) {
        if (!isNext(event) && !isKnown(event)) continue;
        earlyEvents.delete(key);
        if (isKnown(event)) continue;
        applyNext(event);
        goesOn = true;
      }
    }
    if (earlyEvents.size > 0) return;
    clearTimeout(gapTimer);
    gapTimer = undefined;
  };

  return {
    advanceTo: (feed, sequence) => {
      lastSequences.set(feed, Math.max(sequence, lastSequences.get(feed) ?? 0));
    },
    hasReached: (feed, sequence) => sequence <= (lastSequences.get(feed) ?? 0),
    getFeeds: () => [...lastSequences.keys()],
    receive: (event) => {
      if (isKnown(event)) return;
      if (isNext(event)) {
        applyNext(event);
        applyEarly();
        return;
      }
      if (earlyEvents.size < maxEarlyEvents) earlyEvents.set(`${event.feed} ${event.place}`, event);
      wait();
    },
    beginRead: () => {
      const before = new Set(earlyEvents.keys());
      return () => {
        // The feed had these before they were told: what it has not given is not for the reader to see.
        for (const key of before) earlyEvents.delete(key);
        applyEarly();
      };
    },
    clear: () => {
      lastSequences.clear();
      earlyEvents.clear();
      clearTimeout(gapTimer);
      gapTimer = undefined;
    },
  };
}
