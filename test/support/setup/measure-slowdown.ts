/**
 * Returns the duration of `many` divided by that of `few`. Uses the fastest of several alternating
 * runs, so that the machine's load affects both alike.
 */
export function measureSlowdown(few: () => void, many: () => void): number {
  const quickest = { few: Number.POSITIVE_INFINITY, many: Number.POSITIVE_INFINITY };
  for (let run = 0; run < 15; run += 1) {
    quickest.few = Math.min(quickest.few, duration(few));
    quickest.many = Math.min(quickest.many, duration(many));
  }
  return quickest.many / quickest.few;
}

function duration(act: () => void): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}
