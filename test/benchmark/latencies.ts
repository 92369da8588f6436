/** Returns a percentile of the values, or NaN if there are none. `fraction` is from 0 to 1. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)] ?? Number.NaN;
}

export const milliseconds = (time: number): string => `${time.toFixed(1)} ms`;

export const cell = (times: readonly number[], fraction: number): string =>
  milliseconds(percentile(times, fraction));
