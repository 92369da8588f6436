import type { Event } from '../generated/types.ts';

/** Milliseconds for pushes to come that were overtaken. */
const patience = 2000;
/** So many that came too early are kept; beyond that the feed has them. */
const mostKept = 100;

/** Sorts pushes by their places, and knows where one is missing. */
export interface Places {
  /** Of a feed, as the API has told it, or as it was read. */
  set(feed: string, place: number): void;
  /** Whether everything up to there has been heard or read. */
  has(feed: string, place: number): boolean;
  /** The feeds that are known. */
  feeds(): string[];
  hear(event: Event): void;
  /** The feed is being read: what it gives is called once that has come to the end. */
  reading(): () => void;
  clear(): void;
}

export interface PlacesOptions {
  apply(event: Event): void;
  /** Something is missing that only the feed has. */
  repair(): void;
}

export function places({ apply, repair }: PlacesOptions): Places {
  const known = new Map<string, number>();
  const early = new Map<string, Event>();
  let gap: ReturnType<typeof setTimeout> | undefined;

  const isNext = ({ feed, place }: Event) => place === (known.get(feed) ?? 0) + 1;
  const isKnown = ({ feed, place }: Event) => place <= (known.get(feed) ?? 0);

  const take = (event: Event) => {
    if (event.payload === null) return repair();
    known.set(event.feed, event.place);
    apply(event);
  };

  const wait = () => {
    gap ??= setTimeout(() => {
      gap = undefined;
      repair();
    }, patience);
  };

  /** What has become next, or has come another way. */
  const drain = () => {
    for (let goesOn = true; goesOn; ) {
      goesOn = false;
      for (const [key, event] of early) {
        if (!isNext(event) && !isKnown(event)) continue;
        early.delete(key);
        if (isKnown(event)) continue;
        take(event);
        goesOn = true;
      }
    }
    if (early.size > 0) return;
    clearTimeout(gap);
    gap = undefined;
  };

  return {
    set: (feed, place) => {
      known.set(feed, Math.max(place, known.get(feed) ?? 0));
    },
    has: (feed, place) => place <= (known.get(feed) ?? 0),
    feeds: () => [...known.keys()],
    hear: (event) => {
      if (isKnown(event)) return;
      if (isNext(event)) {
        take(event);
        drain();
        return;
      }
      if (early.size < mostKept) early.set(`${event.feed} ${event.place}`, event);
      wait();
    },
    reading: () => {
      const before = new Set(early.keys());
      return () => {
        // The feed had these before they were told: what it has not given is not for the reader to see.
        for (const key of before) early.delete(key);
        drain();
      };
    },
    clear: () => {
      known.clear();
      early.clear();
      clearTimeout(gap);
      gap = undefined;
    },
  };
}
