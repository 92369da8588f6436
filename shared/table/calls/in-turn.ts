/**
 * As many as the client has connections: a call that waits for one would have its own time-out run
 * meanwhile.
 */
const maxPageItems = 50;

let underWay = 0;
const waiting: (() => void)[] = [];

/** Does something as soon as fewer than `mostAtOnce` others are under way. */
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
