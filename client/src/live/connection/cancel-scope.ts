/** One time of being connected, or of trying to: what it has begun ends with it. */
export interface CancelScope {
  /** Of the requests that it makes. */
  readonly signal: AbortSignal;
  /** Ends it: for that reason, or with null to begin the next one at once. */
  cancel(reason: Error | null): void;
  /** Why it was stopped; settles then. */
  readonly cancelled: Promise<Error | null>;
  /** Acts after so many milliseconds, unless it is over by then; what it throws stops the turn. */
  schedule(milliseconds: number, act: () => void | Promise<void>): void;
}

export const toError = (cause: unknown): Error =>
  cause instanceof Error ? cause : new Error(String(cause));

export function createCancelScope(): CancelScope {
  const controller = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let stop: CancelScope['cancel'] = () => {};
  const stopped = new Promise<Error | null>((resolve) => {
    stop = (reason) => {
      for (const timer of timers) clearTimeout(timer);
      resolve(reason);
      controller.abort();
    };
  });
  const run = async (act: () => void | Promise<void>) => {
    try {
      await act();
    } catch (cause) {
      stop(toError(cause));
    }
  };
  return {
    signal: controller.signal,
    cancel: stop,
    cancelled: stopped,
    schedule: (milliseconds, act) => {
      if (controller.signal.aborted) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        run(act);
      }, milliseconds);
      timers.add(timer);
    },
  };
}
