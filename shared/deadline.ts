import { AsyncLocalStorage } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs a function whose outgoing calls are aborted at its deadline and when it ends. A call that
 * runs on in a frozen environment would continue minutes later, when others treat it as crashed.
 */
export async function withDeadline<Result>(
  milliseconds: number,
  act: () => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const outer = getDeadlineSignal();
  const signal = outer ? AbortSignal.any([ending.signal, outer]) : ending.signal;
  const timer = setTimeout(
    () => ending.abort(new Error('The deadline has passed.')),
    Math.max(0, milliseconds),
  );
  try {
    return await deadlines.run(signal, act);
  } finally {
    clearTimeout(timer);
    ending.abort(new Error('The enclosing call has ended.'));
  }
}

/** Returns the signal that aborts the current call; `undefined` outside of `withDeadline`. */
export const getDeadlineSignal = (): AbortSignal | undefined => deadlines.getStore();
