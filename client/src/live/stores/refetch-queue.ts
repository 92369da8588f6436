export interface RefetchQueue {
  /** Look at that again after so many milliseconds; asked for again meanwhile, as much later, but at most half a minute. */
  schedule(id: string, delay: number): void;
  /** What was not done, and all else, now. */
  flush(): void;
  end(): void;
}

/** Milliseconds. */
const maxDelayMs = 30_000;

/**
 * Things to look at again, those that are due together. What fails stays to be done until it is hurried, as its failure is that of the
 * network.
 */
export function createRefetchQueue(run: (ids: string[]) => Promise<void>): RefetchQueue {
  const due = new Map<string, { at: number; first: number }>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const runDue = () => {
    timer = undefined;
    const now = Date.now();
    const ids = [...due].filter(([, { at }]) => at <= now).map(([id]) => id);
    for (const id of ids) due.delete(id);
    if (ids.length > 0) {
      run(ids).catch(() => {
        for (const id of ids) due.set(id, { at: Number.POSITIVE_INFINITY, first: now });
      });
    }
    setTimer();
  };
  const setTimer = () => {
    const next = Math.min(...Array.from(due.values(), ({ at }) => at));
    clearTimeout(timer);
    timer = Number.isFinite(next) ? setTimeout(runDue, Math.max(0, next - Date.now())) : undefined;
  };
  return {
    schedule: (id, delay) => {
      const now = Date.now();
      const first = due.get(id)?.first ?? now;
      due.set(id, { at: Math.min(now + delay, first + maxDelayMs), first });
      setTimer();
    },
    flush: () => {
      for (const [id, { first }] of due) due.set(id, { at: 0, first });
      setTimer();
    },
    end: () => {
      due.clear();
      clearTimeout(timer);
    },
  };
}
