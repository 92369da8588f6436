import { toError } from '../../to-error.ts';
import { createDeferred } from '../deferred.ts';

/** The lifetime of one phase: its requests and timers end when the scope is canceled. */
export interface CancelScope {
  readonly signal: AbortSignal;
  /** Resolves with the argument of `cancel`. */
  readonly cancelled: Promise<Error | null>;
  /** Cancels the scope. If the reason is null, the session synchronizes again at once. */
  cancel(reason: Error | null): void;
  /**
   * Calls the action after a delay in milliseconds, unless the scope is canceled first. If the
   * action fails, cancels the scope with the action's error. Returns a function that stops the
   * timer.
   */
  schedule(delayMs: number, action: () => void | Promise<void>): () => void;
}

/** Returns a scope for a new phase. */
export function createCancelScope(): CancelScope {
  const controller = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const { promise: cancelled, resolve } = createDeferred<Error | null>();
  const cancel = (reason: Error | null) => {
    for (const timer of timers) clearTimeout(timer);
    resolve(reason);
    controller.abort();
  };
  const run = async (action: () => void | Promise<void>) => {
    try {
      await action();
    } catch (cause) {
      cancel(toError(cause));
    }
  };
  return {
    signal: controller.signal,
    cancelled,
    cancel,
    schedule: (delayMs, action) => {
      if (controller.signal.aborted) return () => {};
      const timer = setTimeout(() => {
        timers.delete(timer);
        run(action);
      }, delayMs);
      timers.add(timer);
      return () => clearTimeout(timer);
    },
  };
}
