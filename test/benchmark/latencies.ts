/** Returns a percentile of the values; `share` is 0 to 1. Returns NaN if there are no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const milliseconds = (time: number): string => `${time.toFixed(1)} ms`;

/** Formats the percentile in milliseconds as a table cell. */
export const cell = (times: readonly number[], share: number): string =>
  milliseconds(percentile(times, share));
