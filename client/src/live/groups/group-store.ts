import { toError } from '../../to-error.ts';
import { contexts, type LiveContext } from '../live-context.ts';
import type { LiveInbox, Store } from '../live-types.ts';
import type { GroupChange } from '../push-event.ts';
import { createSerialQueue } from '../serial-queue.ts';
import { createRefetchQueue } from '../stores/refetch-queue.ts';
import { createSnapshotStore } from '../stores/snapshot-store.ts';

export interface LoadState {
  readonly status: 'loading' | 'ready' | 'failed' | 'gone';
  /** Error of the last failed load; null after a load succeeds. */
  readonly error: Error | null;
}

export interface LiveGroupStore<Snapshot> extends Store<Snapshot> {
  /** Loads all data again, for example after a failure. */
  readonly reload: () => Promise<void>;
  /** Stops updates. Snapshots stay readable. */
  readonly close: () => void;
}

/** Functions that derive a store's next state from replies and events. */
export interface GroupStoreParts<State extends LoadState> {
  readonly initial: State;
  /** Fetches the data. Returns a function that applies it to the current state. */
  fetch(live: LiveContext): Promise<(state: State) => State>;
  /** Returns the state after a change; the same object if the change does not affect it. */
  apply(state: State, change: GroupChange): State;
  leave(state: State, groupId: string): State;
}

/** Returns all items of a list. */
export async function listAll<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of list) all.push(item);
  return all;
}

/**
 * Minimum and maximum random delay, in milliseconds, between an event and the reload. All members
 * receive the event at the same time, so the delay spreads their requests.
 */
const minReloadDelayMs = 500;
const maxReloadDelayMs = 2500;

/**
 * Returns the store of a group or of a list of groups, and keeps it up to date until `close` is
 * called. Throws a `TypeError` if the inbox is not from `live`.
 */
export function openGroupStore<State extends LoadState>(
  inbox: LiveInbox,
  { initial, fetch, apply, leave }: GroupStoreParts<State>,
): LiveGroupStore<State> {
  const live = contexts.get(inbox);
  if (!live) throw new TypeError('Pass an inbox from `live`.');
  let state = initial;
  const queue = createSerialQueue();
  const store = createSnapshotStore(() => state);
  const set = (next: State) => {
    state = next;
    store.invalidate();
  };
  const load = () =>
    queue(async () => {
      try {
        const change = await fetch(live);
        set({ ...change(state), error: null });
      } catch (cause) {
        if (live.signal.aborted) return;
        const status = state.status === 'loading' ? 'failed' : state.status;
        set({ ...state, status, error: toError(cause) });
      }
    });
  const refetches = createRefetchQueue(load);
  const end = () => {
    refetches.end();
    store.removeAllListeners();
    live.groupStores.delete(groupStore);
  };
  const groupStore = {
    load,
    apply: (change: GroupChange) => {
      const next = apply(state, change);
      // The reply to the first load may lack the change.
      if (next === state && state.status !== 'loading') return;
      if (next !== state) set(next);
      const delayMs = minReloadDelayMs + Math.random() * (maxReloadDelayMs - minReloadDelayMs);
      refetches.schedule('', delayMs);
    },
    leave: (groupId: string) => set(leave(state, groupId)),
    flush: () => {
      if (state.error) load();
    },
    end,
  };
  live.groupStores.add(groupStore);
  // The first load of the inbox loads the stores that exist when it starts.
  if (live.lastLoadTick > 0 || live.status !== 'connecting') load();
  return { subscribe: store.subscribe, getSnapshot: store.getSnapshot, reload: load, close: end };
}
