import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { requestsLiveAtMost } from '../../shared/clock.ts';
import { functionLimits } from '../../shared/function-limits.ts';
import { conversationSort, deletionAttribute, tableKey } from '../../shared/table/keys/names.ts';
import { StreamWorker, type WorkerProps } from './stream-worker.ts';

/**
 * Empties the partitions of deleted conversations, woken by each tombstone, and by its touch when the worker's time was not
 * enough.
 */
export class PurgeWorker extends StreamWorker {
  constructor(scope: Construct, props: WorkerProps) {
    super(scope, 'Purge', {
      ...props,
      path: 'purge',
      description: 'Empties the partitions of deleted conversations',
      limits: functionLimits.purge,
      calls: {
        conversations: ['GetItem', 'Query', 'BatchWriteItem', 'DeleteItem', 'UpdateItem'],
        distinctPairs: ['DeleteItem'],
      },
      wakes: {
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
        // The worker begins so long after a deletion: gathering records meanwhile is the cheapest way to wait.
        maxBatchingWindow: Duration.millis(requestsLiveAtMost),
        retryAttempts: 20,
        maxRecordAge: Duration.hours(12),
      },
    });
  }
}
