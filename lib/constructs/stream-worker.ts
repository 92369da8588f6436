import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  type EventSourceMappingOptions,
  MetricType,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { TableCalls } from '../../shared/contract/operation.ts';
import { failureDays } from '../lifetimes.ts';
import type { Stage } from '../stages.ts';
import { MessagingFunction } from './messaging-function.ts';
import type { TableInUse } from './messaging-table.ts';
import { tableStatements } from './table-statements.ts';

export interface WorkerProps {
  stage: Stage;
  table: TableInUse;
  bundles: string;
}

export interface StreamWorkerProps extends WorkerProps {
  /** The handler's file below functions/, without `.ts`. */
  path: string;
  description: string;
  limits: { memoryMegabytes: number; timeoutSeconds: number };
  calls: TableCalls;
  /** What it has besides the table. */
  environment?: Record<string, string>;
  statements?: PolicyStatement[];
  /** Which changes wake it, and what happens when it fails on them. */
  wakes: Pick<
    EventSourceMappingOptions,
    'filters' | 'maxBatchingWindow' | 'retryAttempts' | 'maxRecordAge'
  >;
}

/**
 * A function that the table's stream wakes. A stream has two readers at most: these are the purge worker and the live
 * worker. What one fails on for good goes to a queue of its own, and that raises an alarm (monitoring-alarms.ts).
 */
export class StreamWorker extends MessagingFunction {
  readonly failures: Queue;
  readonly mapping: EventSourceMapping;

  constructor(scope: Construct, id: string, props: StreamWorkerProps) {
    const { stage, table, bundles, path, description, limits, calls, wakes } = props;
    const { environment = {}, statements = [] } = props;
    const failures = new Queue(scope, `${id}Failures`, {
      retentionPeriod: Duration.days(failureDays),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    const isTheLast =
      'It is where what has failed for good ends up: nothing takes from it and fails.';
    Validations.of(failures).acknowledge(
      { id: 'AwsSolutions-SQS3', reason: isTheLast },
      { id: 'CT.SQS.PR.1', reason: isTheLast },
    );
    const { tableArn, tableStreamArn } = table;
    if (!tableStreamArn) throw new Error('The table has no stream.');
    super(scope, id, {
      stage,
      path,
      bundles,
      description,
      ...limits,
      environment: { TABLE_NAME: table.tableName, ...environment },
      statements: [
        ...tableStatements(calls, tableArn),
        ...statements,
        // Lambda reads the stream, and tells of failures, in the worker's name.
        new PolicyStatement({
          actions: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
            (call) => `dynamodb:${call}`,
          ),
          resources: [tableStreamArn],
        }),
        new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [failures.queueArn] }),
      ],
    });
    this.failures = failures;

    this.mapping = new EventSourceMapping(scope, `${id}Mapping`, {
      target: this.live,
      eventSourceArn: tableStreamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // It tells that the stream is read, also while there is nothing to do.
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
      onFailure: { bind: () => ({ destination: failures.queueArn }) },
      ...wakes,
    });
  }
}
