import { createHistogram } from 'node:perf_hooks';

/**
 * Returns the percentile of the latencies in milliseconds, for a share from 0 to 1; undefined
 * without latencies.
 */
export function percentile(times: readonly number[], share: number): number {
  // The histogram stores integers: microseconds.
  const histogram = createHistogram();
  for (const time of times) histogram.record(Math.max(1, Math.round(1000 * time)));
  return times.length === 0 ? Number.NaN : histogram.percentile(100 * share) / 1000;
}

export const milliseconds = (time: number): string => `${time.toFixed(1)} ms`;

/** Formats the percentile in milliseconds as a table cell. */
export const cell = (times: readonly number[], share: number): string =>
  milliseconds(percentile(times, share));
