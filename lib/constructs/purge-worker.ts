import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { requestsLiveAtMost } from '../../shared/clock.ts';
import { functionLimits } from '../../shared/function-limits.ts';
import {
  conversationSort,
  deletionAttribute,
  feedCheckSort,
  tableKey,
} from '../../shared/table/keys/names.ts';
import { StreamWorker, type WorkerProps } from './stream-worker.ts';

const checksOfFeeds = FilterCriteria.filter({
  eventName: FilterRule.isEqual('REMOVE'),
  dynamodb: { Keys: { [tableKey.sort]: { S: FilterRule.isEqual(feedCheckSort) } } },
});

/**
 * Empties the partitions of deleted conversations, woken by each tombstone, and by its touch when the worker's time was not
 * enough. In a stage with feeds it looks after each of them once a month, woken by what has expired for that.
 */
export class PurgeWorker extends StreamWorker {
  constructor(scope: Construct, { hasFeeds, ...props }: WorkerProps & { hasFeeds: boolean }) {
    super(scope, 'Purge', {
      ...props,
      path: 'purge',
      description: 'Empties the partitions of deleted conversations',
      limits: functionLimits.purge,
      calls: {
        conversations: ['GetItem', 'Query', 'BatchWriteItem', 'DeleteItem', 'UpdateItem'],
        distinctPairs: ['DeleteItem'],
        ...(hasFeeds && { feeds: ['Query', 'UpdateItem'] }),
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
          ...(hasFeeds ? [checksOfFeeds] : []),
        ],
        // The worker begins so long after a deletion: gathering records meanwhile is the cheapest way to wait.
        maxBatchingWindow: Duration.millis(requestsLiveAtMost),
        retryAttempts: 20,
        maxRecordAge: Duration.hours(12),
      },
    });
  }
}
