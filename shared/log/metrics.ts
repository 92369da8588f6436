import { env } from '../env.ts';

/**
 * The facts of a log line that CloudWatch keeps as metrics too, and their units. How many requests there were is how many
 * values `milliseconds` has.
 */
export const metrics = {
  milliseconds: 'Milliseconds',
  fault: 'Count',
  cold_start: 'Count',
  read_units: 'Count',
  write_units: 'Count',
  conflicts: 'Count',
  replayed: 'Count',
  unknown_key: 'Count',
  unfinished_seconds: 'Seconds',
  lost_pushes: 'Count',
} as const;
export type MetricName = keyof typeof metrics;

/** What they are told apart by. A caller or a conversation would make a metric of its own for each, billed as such. */
export const dimension = 'operation';

export interface Measured extends Partial<Record<MetricName, number | undefined>> {
  operation: string;
  milliseconds: number;
  [fact: string]: unknown;
}

/**
 * The facts, and what CloudWatch has to know to take metrics from them. A metric costs 30 cents a month, by the hours in
 * which it is sent, for each operation; so those that are zero are left out, as their sums are the same without. All that
 * can be asked of them therefore is their sum and their highest value.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const withMetrics = (facts: Measured) => ({
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
