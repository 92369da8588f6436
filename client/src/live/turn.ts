/** One time of being connected, or of trying to: what it has begun ends with it. */
export interface Turn {
  /** Of the requests that it makes. */
  readonly signal: AbortSignal;
  /** Ends it: for that reason, or with null to begin the next one at once. */
  stop(why: Error | null): void;
  /** Why it was stopped; settles then. */
  readonly stopped: Promise<Error | null>;
  /** Acts after so many milliseconds, unless it is over by then; what it throws stops the turn. */
  after(milliseconds: number, act: () => void | Promise<void>): void;
}

export const errorFrom = (cause: unknown): Error =>
  cause instanceof Error ? cause : new Error(String(cause));

export function newTurn(): Turn {
  const controller = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let stop: Turn['stop'] = () => {};
  const stopped = new Promise<Error | null>((resolve) => {
    stop = (why) => {
      for (const timer of timers) clearTimeout(timer);
      resolve(why);
      controller.abort();
    };
  });
  const run = async (act: () => void | Promise<void>) => {
    try {
      await act();
    } catch (cause) {
      stop(errorFrom(cause));
    }
  };
  return {
    signal: controller.signal,
    stop,
    stopped,
    after: (milliseconds, act) => {
      if (controller.signal.aborted) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        run(act);
      }, milliseconds);
      timers.add(timer);
    },
  };
}
