import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  type EventSourceMappingOptions,
  MetricType,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { TableCalls } from '../../../shared/contract/operation.ts';
import { failureQueueDays } from '../../lifetimes.ts';
import type { Stage } from '../../stages.ts';
import { MessagingFunction } from '../messaging-function.ts';
import type { TableInUse } from '../messaging-table.ts';
import { StageQueue } from '../stage-queue.ts';
import { createTableStatements } from './table-statements.ts';

export interface WorkerProps {
  stage: Stage;
  table: TableInUse;
  bundles: string;
}

export interface StreamWorkerProps extends WorkerProps {
  /** Handler file below functions/, without `.ts`. */
  path: string;
  description: string;
  limits: { memoryMegabytes: number; timeoutSeconds: number };
  calls: TableCalls;
  /** Environment variables in addition to TABLE_NAME. */
  environment?: Record<string, string>;
  statements?: PolicyStatement[];
  eventSource: Pick<
    EventSourceMappingOptions,
    'filters' | 'maxBatchingWindow' | 'parallelizationFactor' | 'retryAttempts' | 'maxRecordAge'
  >;
}

/**
 * Function that the table's stream invokes. A stream supports at most two readers. The stage's
 * readers are the purge worker and the live worker. Records that Lambda abandons go to the worker's
 * queue, which has an alarm.
 */
export class StreamWorker extends MessagingFunction {
  readonly failures: Queue;
  readonly mapping: EventSourceMapping;

  constructor(scope: Construct, id: string, props: StreamWorkerProps) {
    const { stage, table, bundles, path, description, limits, calls, eventSource } = props;
    const { environment = {}, statements = [] } = props;
    const failures = new StageQueue(scope, `${id}Failures`, {
      retentionPeriod: Duration.days(failureQueueDays),
      noDeadLettersReason: 'No function consumes this queue of failed records.',
    });
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
        ...createTableStatements(calls, tableArn),
        ...statements,
        // Lambda uses the worker's role to read the stream and to send to the queue.
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
      // Never change this. CloudFormation would create the new mapping before it deletes the old
      // one. A second mapping would fail, because a function has at most one mapping per stream
      // (github.com/aws/aws-cdk/issues/6942).
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // These metrics show that Lambda polls the stream, even if the stream is idle.
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
      onFailure: { bind: () => ({ destination: failures.queueArn }) },
      ...eventSource,
    });
  }
}
