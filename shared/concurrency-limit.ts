/** Runs a function once fewer than the maximum are running. */
export type WithConcurrencyLimit = <Result>(act: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a limit for calls to one service, its maximum connections. A call that waits for a
 * connection would already spend its timeout.
 */
export function createConcurrencyLimit(maxConcurrentCalls: number): WithConcurrencyLimit {
  let runningCalls = 0;
  const waiting: (() => void)[] = [];
  return async (act) => {
    if (runningCalls < maxConcurrentCalls) runningCalls += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else runningCalls -= 1;
    }
  };
}
