import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  MetricType,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { requestsLiveAtMost } from '../../shared/clock.ts';
import { functionLimits } from '../../shared/function-limits.ts';
import { conversationSort, deletionAttribute, tableKey } from '../../shared/table/keys/names.ts';
import type { Stage } from '../stages.ts';
import { MessagingFunction } from './messaging-function.ts';
import type { TableInUse } from './messaging-table.ts';
import { tableStatements } from './table-statements.ts';

export interface PurgeWorkerProps {
  stage: Stage;
  table: TableInUse;
  bundles: string;
}

/**
 * Empties the partitions of deleted conversations, woken by the table's stream: by each tombstone, and by its touch when
 * the worker's time was not enough. What it fails on goes to a queue, and that raises an alarm (monitoring-alarms.ts).
 */
export class PurgeWorker extends MessagingFunction {
  readonly failures: Queue;
  readonly mapping: EventSourceMapping;

  constructor(scope: Construct, { stage, table, bundles }: PurgeWorkerProps) {
    const failures = new Queue(scope, 'PurgeFailures', {
      retentionPeriod: Duration.days(14),
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
    super(scope, 'Purge', {
      stage,
      path: 'purge',
      bundles,
      description: 'Empties the partitions of deleted conversations',
      ...functionLimits.purge,
      environment: { TABLE_NAME: table.tableName },
      statements: [
        ...tableStatements(
          { conversations: ['GetItem', 'Query', 'BatchWriteItem', 'DeleteItem', 'UpdateItem'] },
          tableArn,
        ),
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

    this.mapping = new EventSourceMapping(scope, 'PurgeMapping', {
      target: this.live,
      eventSourceArn: tableStreamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [
        FilterCriteria.filter({
          dynamodb: {
            NewImage: {
              [tableKey.sort]: { S: FilterRule.isEqual(conversationSort) },
              [deletionAttribute]: { N: FilterRule.exists() },
            },
          },
        }),
      ],
      batchSize: 100,
      // The worker begins so long after a deletion: gathering records meanwhile is the cheapest way to wait.
      maxBatchingWindow: Duration.millis(requestsLiveAtMost),
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: 20,
      maxRecordAge: Duration.hours(12),
      // It tells that the stream is read, also while there is nothing to purge.
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
      onFailure: { bind: () => ({ destination: failures.queueArn }) },
    });
  }
}
