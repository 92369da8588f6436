import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { dimension, type MetricName } from '../../../shared/log/metrics.ts';
import { indexes } from '../../../shared/table/keys/names.ts';
import type { OperationFunction } from '../functions/operation-function.ts';
import type { ScanWorker } from '../functions/scan-worker.ts';
import type { StreamWorker } from '../functions/stream-worker.ts';
import type { ThumbnailWorker } from '../functions/thumbnail-worker.ts';
import type { Webhooks } from '../functions/webhooks.ts';
import type { MessagingBus } from '../messaging-bus.ts';
import type { MessagingFunction } from '../messaging-function.ts';
import type { PushApi } from '../push-api.ts';

type NamedTable = Pick<ITableV2, 'tableName'>;

/**
 * Literal names of the API and its stage. A reference to the stage would be circular: the alarm
 * would depend on the stage, the stage on the functions' aliases, and the aliases on the alarms
 * that roll back new code.
 */
export interface NamedApi {
  name: string;
  stageName: string;
}

export interface MonitoredResources {
  api: NamedApi;
  table: NamedTable;
  authorizer: MessagingFunction;
  functions: OperationFunction[];
  reference: MessagingFunction | undefined;
  purge: StreamWorker;
  live: StreamWorker | undefined;
  push: PushApi | undefined;
  bus: MessagingBus | undefined;
  scan: ScanWorker | undefined;
  thumbnails: ThumbnailWorker | undefined;
  webhooks: Webhooks | undefined;
}

/**
 * Returns all monitored functions, workers before operations. Excludes the thumbnail worker,
 * because its throttling is harmless: Lambda delays the events above its concurrency limit.
 */
export const getMonitoredFunctions = ({
  authorizer,
  purge,
  live,
  push,
  webhooks,
  functions,
  reference,
  scan,
}: MonitoredResources): MessagingFunction[] => [
  authorizer,
  purge,
  ...(live ? [live] : []),
  ...(scan ? [scan] : []),
  ...(push ? [push.authorizer] : []),
  ...(webhooks ? [webhooks] : []),
  ...functions,
  ...(reference ? [reference] : []),
];

export const period = Duration.minutes(5);

/** Period longer than the interval between invocations of a busy purge worker. */
export const purgePeriod = Duration.minutes(15);

const count = Stats.SAMPLE_COUNT;

export type LogMetric = (
  operation: string,
  metricName: MetricName,
  options: { statistic: string; label?: string },
) => Metric;

/** Returns a function that creates metrics from the functions' log lines. */
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

/** Returns the metric for request counts. Counts durations, because each request has one. */
export const createRequestMetric = (metric: LogMetric, operation: string, label = operation) =>
  metric(operation, 'milliseconds', { statistic: count, label });

/** Returns the gateway's metrics, which include requests that reach no function. */
export function gatewayMetrics({ name, stageName }: NamedApi, interval = period) {
  const metric = (metricName: string, statistic: string, label?: string) =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiName: name, Stage: stageName },
      statistic,
      period: interval,
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
 * Returns the number of requests that get 503 because their token names an unknown key and it is
 * too early to fetch the issuer's keys again.
 */
export const unknownKeys = (logMetric: LogMetric): Metric =>
  logMetric('authorizer', 'unknown_key', { statistic: Stats.SUM });

/** Period that exceeds the time for which the gateway caches an authorizer decision. */
const decisionPeriod = Duration.minutes(15);

/**
 * Minimum number of denials that can raise the alarm. The probe alone causes three denials per
 * period.
 */
const minDenials = 10;
/**
 * Minimum number of accepted tokens that proves that the service works. Without this limit, anyone
 * could raise the alarm with made-up tokens.
 */
const minAccepted = 10;

/**
 * Returns the percentage of denied tokens; 0 if fewer than `minDenials` are denied or at least
 * `minAccepted` are accepted.
 */
export function deniedTokens(logMetric: LogMetric): IMetric {
  const createSum = (name: MetricName) =>
    logMetric('authorizer', name, { statistic: Stats.SUM }).with({ period: decisionPeriod });
  return new MathExpression({
    expression: `IF(FILL(denied, 0) >= ${minDenials} AND checked - FILL(denied, 0) - FILL(unknown, 0) < ${minAccepted}, 100 * FILL(denied, 0) / checked, 0)`,
    usingMetrics: {
      checked: createRequestMetric(logMetric, 'authorizer').with({ period: decisionPeriod }),
      denied: createSum('denied'),
      unknown: createSum('unknown_key'),
    },
    period: decisionPeriod,
    label: 'denied, %',
  });
}

/** Returns the percentage of an hour's events that the live worker could not push to listeners. */
export function lostPushShare(logMetric: LogMetric): IMetric {
  const createSum = (name: MetricName) =>
    logMetric('live', name, { statistic: Stats.SUM }).with({ period: Duration.hours(1) });
  return new MathExpression({
    expression: 'IF(FILL(lost, 0) > 0, 100 * FILL(lost, 0) / events, 0)',
    usingMetrics: { lost: createSum('lost_pushes'), events: createSum('events') },
    period: Duration.hours(1),
    label: 'lost, %',
  });
}

/**
 * Returns a metric that AppSync publishes for the push API.
 *
 * @see https://docs.aws.amazon.com/appsync/latest/eventapi/cw-metrics.html
 */
export const pushMetric = ({ apiId }: PushApi, metricName: string, label: string): Metric =>
  new Metric({
    namespace: 'AWS/AppSync',
    metricName,
    dimensionsMap: { EventAPIId: apiId },
    statistic: Stats.SUM,
    period,
    label,
  });

/** Returns the number of invocations that Lambda throttled. */
export const functionThrottles = (functions: MessagingFunction[]): IMetric =>
  sum(
    functions.map((one) => one.metricThrottles({ period, statistic: Stats.SUM })),
    'functions',
  );

/** Returns the number of calls that the table or an index throttled. */
export const tableThrottles = ({ tableName }: NamedTable): IMetric =>
  sum(
    ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((metricName) =>
      [{}, ...Object.keys(indexes).map((index) => ({ GlobalSecondaryIndexName: index }))].map(
        (indexDimension) =>
          new Metric({
            namespace: 'AWS/DynamoDB',
            metricName,
            dimensionsMap: { TableName: tableName, ...indexDimension },
            period,
            statistic: Stats.SUM,
          }),
      ),
    ),
    'table',
  );

/**
 * Returns a metric that is 1 for each period in which the table was written to but its stream was
 * not read. A value of 1 means that the worker's mapping is disabled or deleted, because an enabled
 * mapping polls even without records.
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

/** Returns an expression for the sum of metrics, with missing data as 0. */
export const filledSum = (ids: readonly string[]): string =>
  ids.map((id) => `FILL(${id}, 0)`).join(' + ');

/**
 * Returns the sum of metrics, with missing data as 0. DynamoDB does not publish zero values.
 * Without data, CloudWatch retains the state of an alarm on a DynamoDB metric, so the alarm would
 * never resolve.
 */
function sum(metrics: Metric[], label: string): MathExpression {
  const named = metrics.map((metric, n) => [`${label}${n}`, metric] as const);
  return new MathExpression({
    expression: filledSum(named.map(([id]) => id)),
    usingMetrics: Object.fromEntries(named),
    period,
    label,
  });
}

/** Returns the maximum number of messages that wait in a queue. */
export const queueDepth = (queue: IQueue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM });
