import { AsyncLocalStorage } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<AbortSignal>();

/**
 * Does something whose calls of other services end when the time is over, or that of what it is a part of. They end with it
 * in any case: Lambda freezes an environment between invocations, and what was still under way would go on when it is
 * thawed, minutes later, when everybody takes it for dead.
 */
export async function within<Result>(
  milliseconds: number,
  act: () => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, deadline() ?? []].flat());
  const timer = setTimeout(
    () => ending.abort(new Error('The time for it was over.')),
    Math.max(0, milliseconds),
  );
  try {
    return await deadlines.run(signal, act);
  } finally {
    clearTimeout(timer);
    ending.abort(new Error('What it was for had ended.'));
  }
}

/** Aborted when what is under way has to end; undefined outside of `within`. */
export const deadline = (): AbortSignal | undefined => deadlines.getStore();
