/** Connections of the client. A call waiting for one would already spend its timeout. */
const maxConcurrentCalls = 50;

let runningCalls = 0;
const waiting: (() => void)[] = [];

export async function withConcurrencyLimit<Result>(act: () => Promise<Result>): Promise<Result> {
  if (runningCalls < maxConcurrentCalls) runningCalls += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await act();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else runningCalls -= 1;
  }
}
