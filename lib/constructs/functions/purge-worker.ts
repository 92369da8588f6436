import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { maxRequestMilliseconds } from '../../../shared/clock.ts';
import { functionLimits } from '../../../shared/function-limits.ts';
import {
  attachmentIdsAttribute,
  attachmentSortPrefix,
  contentIdAttribute,
  contentSortPrefix,
  conversationSort,
  deletionAttribute,
  feedMaintenanceSort,
  groupSort,
  idAttribute,
  pairBlocksSort,
  tableKey,
} from '../../../shared/table/keys/names.ts';
import { expiredUploadMinutes } from '../../lifetimes.ts';
import type { BucketCalls, FileBucket } from '../file-bucket.ts';
import { StreamWorker, type WorkerProps } from './stream-worker.ts';

const { sort } = tableKey;

/** Matches tombstones of conversations and groups. */
const tombstoneFilter = FilterCriteria.filter({
  dynamodb: {
    NewImage: {
      [sort]: { S: FilterRule.or(conversationSort, groupSort) },
      [deletionAttribute]: { N: FilterRule.exists() },
    },
  },
});

/**
 * Returns a filter that matches removals of feed maintenance items and, if the stage has files, of
 * attachment items.
 */
const createRemovalFilter = (files: FileBucket | undefined) => {
  const attachmentKeys = files ? FilterRule.beginsWith(attachmentSortPrefix) : [];
  return FilterCriteria.filter({
    eventName: FilterRule.isEqual('REMOVE'),
    dynamodb: { Keys: { [sort]: { S: [feedMaintenanceSort, ...attachmentKeys] } } },
  });
};

/**
 * Matches new and changed blocks between two contacts. Also matches new content items, because the
 * edit that wrote a content item may have left the previous content item unused. Content items
 * never change (content-item.ts).
 */
const writeFilter = FilterCriteria.filter({
  eventName: FilterRule.or('INSERT', 'MODIFY'),
  dynamodb: {
    Keys: { [sort]: { S: [pairBlocksSort, ...FilterRule.beginsWith(contentSortPrefix)] } },
  },
});

/** Matches messages that no longer refer to a content item. The unused item may still exist. */
const unusedContentFilter = FilterCriteria.filter({
  eventName: FilterRule.isEqual('MODIFY'),
  dynamodb: {
    OldImage: { [contentIdAttribute]: { S: FilterRule.exists() } },
    NewImage: { [contentIdAttribute]: { S: FilterRule.notExists() } },
  },
});

/** Matches deleted messages whose files are not yet removed. */
const fileFilter = FilterCriteria.filter({
  eventName: FilterRule.isEqual('MODIFY'),
  dynamodb: {
    NewImage: {
      [attachmentIdsAttribute]: { S: FilterRule.exists() },
      [idAttribute]: { S: FilterRule.notExists() },
    },
  },
});

const bucketCalls = {
  fileCalls: ['DeleteObject'],
  thumbnailCalls: ['DeleteObject'],
} as const satisfies BucketCalls;

/**
 * Purge worker. A tombstone invokes it to purge a deleted conversation or group, and again if an
 * invocation runs out of time. An expiring item invokes the worker for monthly feed maintenance,
 * even in stages that no longer have events. In stages with attachments, a schedule invokes it to
 * remove expired uploads.
 */
export class PurgeWorker extends StreamWorker {
  constructor(
    scope: Construct,
    { files, ...props }: WorkerProps & { files: FileBucket | undefined },
  ) {
    super(scope, 'Purge', {
      ...props,
      path: 'purge',
      description:
        'Purges deleted conversations, groups and files, applies blocks, and maintains feeds',
      limits: functionLimits.purge,
      environment: files?.environment ?? {},
      statements: files?.createStatements(bucketCalls) ?? [],
      calls: {
        conversations: [
          'BatchGetItem',
          'GetItem',
          'Query',
          'BatchWriteItem',
          'DeleteItem',
          'PutItem',
          'UpdateItem',
        ],
        contacts: ['BatchGetItem', 'DeleteItem', 'UpdateItem'],
        groups: ['DeleteItem', 'GetItem', 'UpdateItem'],
        groupInboxes: ['Query'],
        groupMembers: ['Query'],
        distinctPairs: ['ConditionCheckItem', 'DeleteItem', 'GetItem'],
        pairs: ['Query'],
        feeds: ['Query', 'UpdateItem'],
        ...(files && { unsentUploads: ['Query'] }),
      },
      eventSource: {
        filters: [
          // A mapping has at most five filters.
          tombstoneFilter,
          createRemovalFilter(files),
          writeFilter,
          unusedContentFilter,
          ...(files ? [fileFilter] : []),
        ],
        // A purge may start only after all requests that preceded the deletion have ended. A
        // batching window is the cheapest way to wait for these requests.
        maxBatchingWindow: Duration.millis(maxRequestMilliseconds),
        retryAttempts: 20,
        maxRecordAge: Duration.hours(12),
      },
    });
    if (!files) return;
    files.acknowledgeKeys('Purge', bucketCalls);
    new Rule(scope, 'ExpiredUploads', {
      description: 'Removes expired uploads',
      schedule: Schedule.rate(Duration.minutes(expiredUploadMinutes)),
      // Failed runs are not retried, because the next scheduled run starts soon.
      targets: [new FunctionTarget(this.live, { retryAttempts: 0 })],
    });
  }
}
