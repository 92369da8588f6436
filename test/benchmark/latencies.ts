import { createHistogram } from 'node:perf_hooks';

/** Of milliseconds: that so large a share of them, from 0 to 1, does not pass. None of none. */
export function percentile(times: readonly number[], share: number): number {
  // A histogram counts whole numbers: microseconds.
  const histogram = createHistogram();
  for (const time of times) histogram.record(Math.max(1, Math.round(1000 * time)));
  return times.length === 0 ? Number.NaN : histogram.percentile(100 * share) / 1000;
}

export const milliseconds = (time: number): string => `${time.toFixed(1)} ms`;

/** The share of times as a cell, in milliseconds. */
export const cell = (times: readonly number[], share: number): string =>
  milliseconds(percentile(times, share));
