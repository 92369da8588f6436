import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { dimension, type MetricName } from '../../../shared/log/metrics.ts';
import { indexes } from '../../../shared/table/keys/names.ts';
import type { OperationFunction } from '../functions/operation-function.ts';
import type { StreamWorker } from '../functions/stream-worker.ts';
import type { MessagingFunction } from '../messaging-function.ts';
import type { PushApi } from '../push-api.ts';

type NamedTable = Pick<ITableV2, 'tableName'>;

/**
 * The API by names known without it. A reference to its stage would be circular: the alarm would
 * wait for the stage, the stage for the functions' aliases, and the aliases for the alarms that
 * roll back new code.
 */
export interface NamedApi {
  name: string;
  stageName: string;
}

/** Resources to monitor. */
export interface MonitoredResources {
  api: NamedApi;
  table: NamedTable;
  authorizer: MessagingFunction;
  functions: OperationFunction[];
  /** Only if the stage serves its reference. */
  reference: MessagingFunction | undefined;
  purge: StreamWorker;
  /** Only if the stage has events. */
  live: StreamWorker | undefined;
  push: PushApi | undefined;
}

/** Returns all monitored functions, workers before operations. */
export const functionsOf = ({
  authorizer,
  purge,
  live,
  push,
  functions,
  reference,
}: MonitoredResources): MessagingFunction[] => [
  authorizer,
  purge,
  ...(live ? [live] : []),
  ...(push ? [push.authorizer] : []),
  ...functions,
  ...(reference ? [reference] : []),
];

export const period = Duration.minutes(5);

/** Longer than the time between two invocations of a purge worker with work to do. */
export const purgePeriod = Duration.minutes(15);

/** Statistic: the number of values of a metric. */
const count = Stats.SAMPLE_COUNT;

export type LogMetric = (
  operation: string,
  metricName: MetricName,
  options: { statistic: string; label?: string },
) => Metric;

/** Metrics of the functions' log lines. */
export const createLogMetric =
  (namespace: string): LogMetric =>
  (operation, metricName, options) =>
    new Metric({
      namespace,
      metricName,
      dimensionsMap: { [dimension]: operation },
      period,
      label: operation,
      ...options,
    });

/** Counts the requests of an operation: each has a duration. */
export const requestsOf = (metric: LogMetric, operation: string, label = operation) =>
  metric(operation, 'milliseconds', { statistic: count, label });

/** Returns metrics of the gateway, which include requests that reach no function. */
export function gatewayMetrics({ name, stageName }: NamedApi, every = period) {
  const metric = (metricName: string, statistic: string, label?: string) =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiName: name, Stage: stageName },
      statistic,
      period: every,
      ...(label && { label }),
    });
  return {
    requests: metric('Count', count),
    clientErrors: metric('4XXError', Stats.SUM),
    serverErrors: metric('5XXError', Stats.SUM),
    latency: (statistic: string) => metric('Latency', statistic, statistic),
  };
}

/**
 * Counts requests refused until the issuer's keys may be fetched again, usually because the key
 * does not exist.
 */
export const unknownKeys = (logMetric: LogMetric): Metric =>
  logMetric('authorizer', 'unknown_key', { statistic: Stats.SUM });

/** Calls that Lambda throttled. */
export const functionThrottles = (functions: MessagingFunction[]): IMetric =>
  sum(
    functions.map((one) => one.metricThrottles({ period, statistic: Stats.SUM })),
    'functions',
  );

/** Calls throttled by the table or an index, each with its own throughput. */
export const tableThrottles = ({ tableName }: NamedTable): IMetric =>
  sum(
    ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((metricName) =>
      [{}, ...Object.keys(indexes).map((index) => ({ GlobalSecondaryIndexName: index }))].map(
        (ofIndex) =>
          new Metric({
            namespace: 'AWS/DynamoDB',
            metricName,
            dimensionsMap: { TableName: tableName, ...ofIndex },
            period,
            statistic: Stats.SUM,
          }),
      ),
    ),
    'table',
  );

/**
 * Returns 1 for a period in which the table was written but its stream not read: the worker's
 * mapping is disabled or deleted. An enabled mapping polls all the time, even without records.
 */
export const unreadWrites = ({ tableName }: NamedTable, { mapping }: StreamWorker): IMetric =>
  new MathExpression({
    expression: 'IF(FILL(writes, 0) > 0 AND FILL(polls, 0) == 0, 1, 0)',
    usingMetrics: {
      writes: new Metric({
        namespace: 'AWS/DynamoDB',
        metricName: 'ConsumedWriteCapacityUnits',
        dimensionsMap: { TableName: tableName },
        period: purgePeriod,
        statistic: Stats.SUM,
      }),
      polls: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'PolledEventCount',
        dimensionsMap: { EventSourceMappingUUID: mapping.eventSourceMappingId },
        period: purgePeriod,
        statistic: count,
      }),
    },
    period: purgePeriod,
    label: 'writes that are not read',
  });

/**
 * Fills missing data with 0. Services send no zero, and for metrics of DynamoDB CloudWatch keeps an
 * alarm's state while data is missing, so it would never resolve.
 */
function sum(metrics: Metric[], label: string): MathExpression {
  const named = metrics.map((metric, n) => [`${label}${n}`, metric] as const);
  return new MathExpression({
    expression: named.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(named),
    period,
    label,
  });
}
