import type { Store } from './types.ts';

export interface Emitter<Snapshot> extends Store<Snapshot> {
  /** Something has changed: listeners hear it once, however much changes at a time. */
  changed(): void;
  /** Nobody hears anything any more. */
  end(): void;
}

/** Keeps a snapshot until something changes that it shows; `make` makes the next. */
export function emitter<Snapshot extends object>(make: () => Snapshot): Emitter<Snapshot> {
  const listeners = new Set<() => void>();
  let snapshot: Snapshot | undefined;
  let isStale = true;
  let isDue = false;
  const tell = () => {
    isDue = false;
    for (const listener of [...listeners]) listener();
  };
  return {
    subscribe: (listener) => {
      // The same function may listen twice, and stop once.
      const own = () => listener();
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
    getSnapshot: () => {
      if (snapshot && !isStale) return snapshot;
      isStale = false;
      const next = make();
      if (!snapshot || !isSame(snapshot, next)) snapshot = next;
      return snapshot;
    },
    changed: () => {
      isStale = true;
      if (isDue) return;
      isDue = true;
      Promise.resolve().then(tell);
    },
    end: () => listeners.clear(),
  };
}

/** Of the same things, and lists of the same things. */
function isSame(one: object, other: object): boolean {
  const parts = Object.entries(other);
  return Object.entries(one).every(([name, part], n) => {
    const same = parts[n]?.[1];
    return Array.isArray(part) && Array.isArray(same)
      ? part.length === same.length && part.every((item, m) => item === same[m])
      : name === parts[n]?.[0] && part === same;
  });
}
