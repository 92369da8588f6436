import { env } from '../env.ts';

/**
 * Facts that CloudWatch can store as metrics. The sample count of `milliseconds` is the number of
 * requests.
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
  denied: 'Count',
  unfinished_seconds: 'Seconds',
  events: 'Count',
  lost_pushes: 'Count',
  bus_failures: 'Count',
  open_report_seconds: 'Seconds',
  failed_scans: 'Count',
  overdue_scans: 'Count',
  delivered: 'Count',
  failed_attempts: 'Count',
  oldest_seconds: 'Seconds',
} as const;
export type MetricName = keyof typeof metrics;

const metricsOfOthers: Readonly<Partial<Record<string, readonly MetricName[]>>> = {
  authorizer: ['milliseconds', 'fault', 'cold_start', 'unknown_key', 'denied'],
  'channel-authorizer': ['fault'],
  live: ['fault', 'write_units', 'events', 'lost_pushes', 'bus_failures'],
  probe: ['open_report_seconds'],
  scan: ['fault', 'failed_scans'],
  thumbnails: [],
  webhooks: ['fault', 'delivered', 'failed_attempts', 'oldest_seconds'],
  purge: ['fault', 'write_units', 'unfinished_seconds'],
};

const metricsOfOperation: Readonly<Partial<Record<string, readonly MetricName[]>>> = {
  'attachments/retrieve': ['overdue_scans'],
};

const metricsOfOperations: readonly MetricName[] = [
  ...(['milliseconds', 'fault', 'cold_start', 'read_units', 'write_units'] as const),
  ...(['conflicts', 'replayed'] as const),
];

/**
 * Returns the metrics that alarms or the dashboard read for an operation. A test in
 * test/lib/constructs/monitoring verifies them.
 */
export const metricsOf = (operation: string): readonly MetricName[] =>
  metricsOfOthers[operation] ?? [...metricsOfOperations, ...(metricsOfOperation[operation] ?? [])];

/**
 * Metric dimension. Do not add the caller or the conversation: each distinct value is billed as a
 * separate metric.
 */
export const dimension = 'operation';

export interface MetricFacts extends Partial<Record<MetricName, number | undefined>> {
  operation: string;
  milliseconds: number;
  [fact: string]: unknown;
}

/**
 * Returns the facts with the metadata that CloudWatch needs to extract metrics. A metric costs 30
 * cents a month per operation, prorated by the hours in which it is sent. Metrics with the value 0
 * are therefore omitted, except for `milliseconds`. Sums and maxima stay correct. Other statistics
 * are meaningful only for `milliseconds`.
 *
 * @see
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const withMetrics = (facts: MetricFacts) => {
  const names = metricsOf(facts.operation).filter(
    (name) => name === 'milliseconds' || Number(facts[name] ?? 0) !== 0,
  );
  if (names.length === 0) return facts;
  return {
    ...facts,
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          Namespace: env('METRICS_NAMESPACE'),
          Dimensions: [[dimension]],
          Metrics: names.map((Name) => ({ Name, Unit: metrics[Name] })),
        },
      ],
    },
  };
};
