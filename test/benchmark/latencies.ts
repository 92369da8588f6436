import { createHistogram } from 'node:perf_hooks';

/** Median, 90th and 99th percentile of both, in milliseconds, and the second as multiples of the first. */
export function compare(quiet: number[], purging: number[]): string {
  const row = (name: string, cells: string[]) =>
    [name.padEnd(22), ...cells.map((cell) => cell.padStart(9))].join('');
  const shares = [0.5, 0.9, 0.99];
  const [before, during] = [quiet, purging].map((times) =>
    shares.map((share) => percentile(times, share)),
  );
  const milliseconds = (times: number[] = []) => times.map((time) => `${time.toFixed(1)} ms`);
  return [
    row('a send', ['median', '90 %', '99 %']),
    row(`quiet (${quiet.length})`, milliseconds(before)),
    row(`purging (${purging.length})`, milliseconds(during)),
    row(
      'ratio',
      shares.map((_, n) => ((during?.[n] ?? 0) / (before?.[n] ?? 0)).toFixed(2)),
    ),
  ].join('\n');
}

/** Of microseconds: a histogram counts whole numbers. */
function percentile(times: number[], share: number): number {
  const histogram = createHistogram();
  for (const time of times) histogram.record(Math.max(1, Math.round(1000 * time)));
  return histogram.percentile(100 * share) / 1000;
}
