/**
 * Returns the duration of `many` divided by that of `few`. Uses the fastest of several alternating
 * runs, so that the machine's load affects both alike.
 */
export function measureSlowdown(few: () => void, many: () => void): number {
  const fastest = { few: Number.POSITIVE_INFINITY, many: Number.POSITIVE_INFINITY };
  for (let run = 0; run < 15; run += 1) {
    fastest.few = Math.min(fastest.few, duration(few));
    fastest.many = Math.min(fastest.many, duration(many));
  }
  return fastest.many / fastest.few;
}

function duration(act: () => void): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}
