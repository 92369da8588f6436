import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { dimension, type MetricName } from '../../../shared/log/metrics.ts';
import { indexes } from '../../../shared/table/keys/names.ts';
import type { OperationFunction } from '../functions/operation-function.ts';
import type { ScanWorker } from '../functions/scan-worker.ts';
import type { StreamWorker } from '../functions/stream-worker.ts';
import type { Webhooks } from '../functions/webhooks.ts';
import type { MessagingBus } from '../messaging-bus.ts';
import type { MessagingFunction } from '../messaging-function.ts';
import type { PushApi } from '../push-api.ts';

type NamedTable = Pick<ITableV2, 'tableName'>;

/**
 * Names of the API and its stage, as text. A reference to the stage would be circular: the alarm
 * would wait for the stage, the stage for the functions' aliases, and the aliases for the alarms
 * that roll back new code.
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
  /** Only if the stage has a bus. */
  bus: MessagingBus | undefined;
  /** Only if the stage scans files. */
  scan: ScanWorker | undefined;
  /** Only if the stage has webhooks. */
  webhooks: Webhooks | undefined;
}

/** Returns all monitored functions, workers before operations. */
export const functionsOf = ({
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

/** Longer than the gateway caches a decision and a denial. */
const decisionPeriod = Duration.minutes(15);

/**
 * Minimum denials, above the probe's three, and the number of accepted tokens from which the
 * service evidently accepts tokens. Without the latter, anyone could raise the alarm with made-up
 * tokens.
 */
const minDenials = 10;
const minAccepted = 10;

/** Returns the share of denied tokens in percent; 0 if some tokens are accepted. */
export function deniedTokens(logMetric: LogMetric): IMetric {
  const sumOf = (name: MetricName) =>
    logMetric('authorizer', name, { statistic: Stats.SUM }).with({ period: decisionPeriod });
  return new MathExpression({
    expression: `IF(FILL(denied, 0) >= ${minDenials} AND checked - FILL(denied, 0) - FILL(unknown, 0) < ${minAccepted}, 100 * FILL(denied, 0) / checked, 0)`,
    usingMetrics: {
      checked: requestsOf(logMetric, 'authorizer').with({ period: decisionPeriod }),
      denied: sumOf('denied'),
      unknown: sumOf('unknown_key'),
    },
    period: decisionPeriod,
    label: 'denied, %',
  });
}

/** Returns the share of events that were not published, in percent of an hour's events. */
export function lostPushShare(logMetric: LogMetric): IMetric {
  const sumOf = (name: MetricName) =>
    logMetric('live', name, { statistic: Stats.SUM }).with({ period: Duration.hours(1) });
  return new MathExpression({
    expression: 'IF(FILL(lost, 0) > 0, 100 * FILL(lost, 0) / events, 0)',
    usingMetrics: { lost: sumOf('lost_pushes'), events: sumOf('events') },
    period: Duration.hours(1),
    label: 'lost, %',
  });
}

/**
 * Returns a metric of the push API that AppSync counts itself, by the dimension EventAPIId.
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

/** Returns the sum of metrics as an expression, with missing data filled with 0. */
export const filledSum = (ids: readonly string[]): string =>
  ids.map((id) => `FILL(${id}, 0)`).join(' + ');

/**
 * Fills missing data with 0. Services send no zero, and for metrics of DynamoDB CloudWatch keeps an
 * alarm's state while data is missing, so it would never resolve.
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

/** Returns the number of messages in a queue. */
export const queueDepth = (queue: IQueue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM });
