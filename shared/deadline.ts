import { AsyncLocalStorage } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs a function. Aborts its outgoing calls after the given number of milliseconds and when the
 * function ends. Without the abort, a call that Lambda freezes could continue minutes later, when
 * other requests treat the function as crashed.
 */
export async function withDeadline<Result>(
  milliseconds: number,
  action: () => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const outer = getDeadlineSignal();
  const signal = outer ? AbortSignal.any([ending.signal, outer]) : ending.signal;
  const timer = setTimeout(
    () => ending.abort(new Error('The deadline has passed.')),
    Math.max(0, milliseconds),
  );
  try {
    return await deadlines.run(signal, action);
  } finally {
    clearTimeout(timer);
    ending.abort(new Error('The enclosing call has ended.'));
  }
}

/** Returns the signal that aborts outgoing calls, or `undefined` outside `withDeadline`. */
export const getDeadlineSignal = (): AbortSignal | undefined => deadlines.getStore();
