import type { Store } from '../live-types.ts';

export interface SnapshotStore<Snapshot> extends Store<Snapshot> {
  /** Notifies the listeners once, in a microtask, if the next snapshot differs. */
  invalidate(): void;
  removeAllListeners(): void;
}

/**
 * Returns a store that keeps its snapshot until `create` returns a different one. All snapshots
 * must have the same fields.
 */
export function createSnapshotStore<Snapshot extends object>(
  create: () => Snapshot,
): SnapshotStore<Snapshot> {
  const listeners = new Set<() => void>();
  const state: { current?: Snapshot; notified?: Snapshot; isStale: boolean; isDue: boolean } = {
    isStale: true,
    isDue: false,
  };
  const getSnapshot = () => {
    if (state.current && !state.isStale) return state.current;
    state.isStale = false;
    const next = create();
    if (!state.current || !isShallowEqual(state.current, next)) state.current = next;
    return state.current;
  };
  const notify = () => {
    state.isDue = false;
    const snapshot = getSnapshot();
    if (state.notified === snapshot) return;
    state.notified = snapshot;
    for (const listener of [...listeners]) listener();
  };
  return {
    subscribe: (listener) => {
      // A function may be subscribed twice; unsubscribing removes one subscription.
      const subscription = () => listener();
      listeners.add(subscription);
      return () => {
        listeners.delete(subscription);
      };
    },
    getSnapshot,
    invalidate: () => {
      state.isStale = true;
      if (state.isDue) return;
      state.isDue = true;
      Promise.resolve().then(notify);
    },
    removeAllListeners: () => listeners.clear(),
  };
}

/** Compares the fields, and the items of arrays, by identity. */
const isShallowEqual = (one: object, other: object): boolean =>
  Object.entries(other).every(([name, part]) => {
    const value: unknown = Reflect.get(one, name);
    return Array.isArray(part) && Array.isArray(value)
      ? part.length === value.length && part.every((item, n) => item === value[n])
      : part === value;
  });
