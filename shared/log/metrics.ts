import { env } from '../env.ts';

/** Facts that CloudWatch also stores as metrics. Requests: the sample count of `milliseconds`. */
export const metrics = {
  milliseconds: 'Milliseconds',
  fault: 'Count',
  cold_start: 'Count',
  read_units: 'Count',
  write_units: 'Count',
  conflicts: 'Count',
  replayed: 'Count',
  unknown_key: 'Count',
  denied: 'Count',
  unfinished_seconds: 'Seconds',
  events: 'Count',
  lost_pushes: 'Count',
} as const;
export type MetricName = keyof typeof metrics;

/** Metric dimension. Not the caller or conversation: each value is billed as a metric. */
export const dimension = 'operation';

export interface MetricFacts extends Partial<Record<MetricName, number | undefined>> {
  operation: string;
  milliseconds: number;
  [fact: string]: unknown;
}

/**
 * Returns the facts with the metadata that CloudWatch needs to extract metrics. A metric costs 30
 * cents a month per operation, prorated by the hours in which it is sent. Zeros are therefore left
 * out, which changes neither sums nor maxima; other statistics are not meaningful.
 *
 * @see
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const withMetrics = (facts: MetricFacts) => ({
  ...facts,
  _aws: {
    Timestamp: Date.now(),
    CloudWatchMetrics: [
      {
        Namespace: env('METRICS_NAMESPACE'),
        Dimensions: [[dimension]],
        Metrics: Object.entries(metrics)
          .filter(([name]) => name === 'milliseconds' || Number(facts[name] ?? 0) !== 0)
          .map(([Name, Unit]) => ({ Name, Unit })),
      },
    ],
  },
});
