/**
 * How many times longer `many` takes than `few`: by the quickest of some runs of each, in turn, so that a machine that is
 * busy meanwhile is so for both.
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
