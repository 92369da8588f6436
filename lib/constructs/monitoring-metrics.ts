import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { dimension, type MetricName } from '../../shared/log/metrics.ts';
import { indexes } from '../../shared/table/keys/names.ts';
import type { MessagingFunction } from './messaging-function.ts';
import type { OperationFunction } from './operation-function.ts';
import type { PushApi } from './push-api.ts';
import type { StreamWorker } from './stream-worker.ts';

type NamedTable = Pick<ITableV2, 'tableName'>;

/**
 * The API by names that are known without it. A reference to its stage would make an alarm wait for the stage, and the
 * stage waits, by way of its methods, for the functions' aliases; these wait for the alarms that may take new code back.
 * CloudFormation refuses such a circle.
 */
export interface NamedApi {
  name: string;
  stageName: string;
}

/** What is watched. */
export interface Watched {
  api: NamedApi;
  table: NamedTable;
  authorizer: MessagingFunction;
  functions: OperationFunction[];
  /** Only where the stage serves its reference. */
  reference: MessagingFunction | undefined;
  purge: StreamWorker;
  /** Only where the stage has events. */
  live: StreamWorker | undefined;
  push: PushApi | undefined;
}

/** All functions that are watched, workers before operations. */
export const functionsOf = ({
  authorizer,
  purge,
  live,
  push,
  functions,
  reference,
}: Watched): MessagingFunction[] => [
  authorizer,
  purge,
  ...(live ? [live] : []),
  ...(push ? [push.authorizer] : []),
  ...functions,
  ...(reference ? [reference] : []),
];

export const period = Duration.minutes(5);

/** Above what lies between two invocations of the purge worker that has something to do. */
export const purgePeriod = Duration.minutes(15);

/** How many values a metric has, whatever they are. */
const count = Stats.SAMPLE_COUNT;

export type LogMetric = (
  operation: string,
  metricName: MetricName,
  options: { statistic: string; label?: string },
) => Metric;

/** The metrics of the functions' log lines. */
export const logMetrics =
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

/** How often an operation was asked for: each request has a duration. */
export const requestsOf = (metric: LogMetric, operation: string, label = operation) =>
  metric(operation, 'milliseconds', { statistic: count, label });

/** As the gateway saw them, those that no function heard of included. */
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

/** How many requests were told to come again as the key of their token is not known yet; mostly nobody has such a key. */
export const unknownKeys = (logMetric: LogMetric): Metric =>
  logMetric('authorizer', 'unknown_key', { statistic: Stats.SUM });

/** Calls that Lambda refused for want of concurrency. */
export const functionThrottles = (functions: MessagingFunction[]): IMetric =>
  sum(
    functions.map((one) => one.metricThrottles({ period, statistic: Stats.SUM })),
    'functions',
  );

/** What the table and each index, which has a throughput of its own, refused for want of it. */
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
 * 1 for a time in which the table was written, and nobody asked its stream for the worker: its mapping is switched
 * off, or gone. One that is on asks all the time, also when there is nothing; how often is how many values there are.
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
 * Services send no zero where nothing was refused. Without FILL the sum would have no value then, and for metrics of
 * DynamoDB CloudWatch leaves an alarm as it was while there is none, whatever it is told to do: it would never end.
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
