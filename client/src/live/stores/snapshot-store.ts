import type { Store } from '../live-types.ts';

export interface SnapshotStore<Snapshot> extends Store<Snapshot> {
  /** Something may have changed: listeners hear of it if it shows, once, however much changes at a time. */
  invalidate(): void;
  /** Nobody hears anything any more. */
  removeAllListeners(): void;
}

/** Keeps a snapshot until something changes that it shows; `make` makes the next, with the same names. */
export function createSnapshotStore<Snapshot extends object>(
  make: () => Snapshot,
): SnapshotStore<Snapshot> {
  const listeners = new Set<() => void>();
  let snapshot: Snapshot | undefined;
  let notifiedSnapshot: Snapshot | undefined;
  let isStale = true;
  let isDue = false;
  const getSnapshot = () => {
    if (snapshot && !isStale) return snapshot;
    isStale = false;
    const next = make();
    if (!snapshot || !isShallowEqual(snapshot, next)) snapshot = next;
    return snapshot;
  };
  const notify = () => {
    isDue = false;
    if (notifiedSnapshot === getSnapshot()) return;
    notifiedSnapshot = getSnapshot();
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
    getSnapshot,
    invalidate: () => {
      isStale = true;
      if (isDue) return;
      isDue = true;
      Promise.resolve().then(notify);
    },
    removeAllListeners: () => listeners.clear(),
  };
}

/** Of the same things, and lists of the same things. */
const isShallowEqual = (one: object, other: object): boolean =>
  Object.entries(other).every(([name, part]) => {
    const had: unknown = Reflect.get(one, name);
    return Array.isArray(part) && Array.isArray(had)
      ? part.length === had.length && part.every((item, n) => item === had[n])
      : part === had;
  });
