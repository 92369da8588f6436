/**
 * Number of connections of the client: the timeout of a call that waits for a connection would
 * already run.
 */
const maxPageItems = 50;

let underWay = 0;
const waiting: (() => void)[] = [];

/** Runs a function as soon as fewer than the maximum number are running. */
export async function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
  if (underWay < maxPageItems) underWay += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await act();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else underWay -= 1;
  }
}
