import { getMonotonicTime } from '../../requests/monotonic-clock.ts';

/** Ids to fetch again. One call of `fetch` receives all ids that are due. */
export interface RefetchQueue {
  /**
   * Passes the id to `fetch` after the delay. Repeated calls restart the delay, but the fetch
   * starts at most 30 s after the first call.
   */
  schedule(id: string, delayMs: number): void;
  /** Fetches all ids without delay, including those whose fetch failed. */
  flush(): void;
  end(): void;
}

const maxDelayMs = 30_000;

interface QueueState {
  readonly fetch: (ids: string[]) => Promise<void>;
  readonly due: Map<string, { at: number; first: number }>;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Returns an empty queue. An id whose fetch failed is fetched again only after a call to `flush`,
 * or to `schedule` with this id.
 */
export function createRefetchQueue(fetch: QueueState['fetch']): RefetchQueue {
  const state: QueueState = { fetch, due: new Map() };
  return {
    schedule: (id, delayMs) => {
      const now = getMonotonicTime();
      const first = state.due.get(id)?.first ?? now;
      state.due.set(id, { at: Math.min(now + delayMs, first + maxDelayMs), first });
      setTimer(state);
    },
    flush: () => {
      for (const [id, { first }] of state.due) state.due.set(id, { at: 0, first });
      setTimer(state);
    },
    end: () => {
      state.due.clear();
      clearTimeout(state.timer);
    },
  };
}

function setTimer(state: QueueState) {
  const next = Math.min(...Array.from(state.due.values(), ({ at }) => at));
  const delayMs = Math.max(0, next - getMonotonicTime());
  clearTimeout(state.timer);
  state.timer = Number.isFinite(next) ? setTimeout(() => runDue(state), delayMs) : undefined;
}

function runDue(state: QueueState) {
  const { due, fetch } = state;
  const now = getMonotonicTime();
  const ids = [...due].filter(([, { at }]) => at <= now).map(([id]) => id);
  for (const id of ids) due.delete(id);
  if (ids.length > 0) {
    fetch(ids).catch(() => {
      for (const id of ids) due.set(id, { at: Number.POSITIVE_INFINITY, first: now });
    });
  }
  setTimer(state);
}
