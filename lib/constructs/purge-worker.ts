import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { maxRequestMilliseconds } from '../../shared/clock.ts';
import { functionLimits } from '../../shared/function-limits.ts';
import {
  conversationSort,
  deletionAttribute,
  feedMaintenanceSort,
  tableKey,
} from '../../shared/table/keys/names.ts';
import { StreamWorker, type WorkerProps } from './stream-worker.ts';

const checksOfFeeds = FilterCriteria.filter({
  eventName: FilterRule.isEqual('REMOVE'),
  dynamodb: { Keys: { [tableKey.sort]: { S: FilterRule.isEqual(feedMaintenanceSort) } } },
});

/**
 * Empties the partitions of deleted conversations, woken by each tombstone, and by its touch when the worker's time was not
 * enough. It looks after each feed once a month, woken by what has expired for that: also in a stage without events, which
 * may have had them, so that what was told before does not stay.
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
        feeds: ['Query', 'UpdateItem'],
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
          checksOfFeeds,
        ],
        // The worker begins so long after a deletion: gathering records meanwhile is the cheapest way to wait.
        maxBatchingWindow: Duration.millis(maxRequestMilliseconds),
        retryAttempts: 20,
        maxRecordAge: Duration.hours(12),
      },
    });
  }
}
