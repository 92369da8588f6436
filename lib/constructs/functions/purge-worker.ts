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

/** The tombstone of a conversation or a group. */
const tombstoneFilter = FilterCriteria.filter({
  dynamodb: {
    NewImage: {
      [sort]: { S: FilterRule.or(conversationSort, groupSort) },
      [deletionAttribute]: { N: FilterRule.exists() },
    },
  },
});

/** The removal of a feed's maintenance item or, with files, of an attachment's item. */
const createRemovalFilter = (files: FileBucket | undefined) => {
  const ofAttachment = files ? FilterRule.beginsWith(attachmentSortPrefix) : [];
  return FilterCriteria.filter({
    eventName: FilterRule.isEqual('REMOVE'),
    dynamodb: { Keys: { [sort]: { S: [feedMaintenanceSort, ...ofAttachment] } } },
  });
};

/**
 * A change of the record of two contacts of whom one blocks the other; new content, because an
 * earlier one may be unused now. Content never changes. See content-item.ts.
 */
const writeFilter = FilterCriteria.filter({
  eventName: FilterRule.or('INSERT', 'MODIFY'),
  dynamodb: {
    Keys: { [sort]: { S: [pairBlocksSort, ...FilterRule.beginsWith(contentSortPrefix)] } },
  },
});

/** A message that no longer has content: it may be left. */
const unusedContentFilter = FilterCriteria.filter({
  eventName: FilterRule.isEqual('MODIFY'),
  dynamodb: {
    OldImage: { [contentIdAttribute]: { S: FilterRule.exists() } },
    NewImage: { [contentIdAttribute]: { S: FilterRule.notExists() } },
  },
});

/** A deleted message whose files are not removed yet. */
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
 * Purge worker: empties the partitions of deleted conversations, and removes the memberships and
 * conversations of deleted groups, invoked by each tombstone and by its update when time ran out.
 * Removes unused content and files of messages, and follows changes of blocks. In stages with
 * attachments, a schedule invokes it for expired uploads.
 * Runs monthly feed maintenance, invoked by an expiring item, in stages without events too, so that
 * earlier feeds are removed.
 */
export class PurgeWorker extends StreamWorker {
  constructor(
    scope: Construct,
    { files, ...props }: WorkerProps & { files: FileBucket | undefined },
  ) {
    super(scope, 'Purge', {
      ...props,
      path: 'purge',
      description: 'Empties the partitions of deleted conversations',
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
          // A mapping has at most five.
          tombstoneFilter,
          createRemovalFilter(files),
          writeFilter,
          unusedContentFilter,
          ...(files ? [fileFilter] : []),
        ],
        // The worker may start only after this time, so batching records meanwhile is the cheapest
        // way to wait.
        maxBatchingWindow: Duration.millis(maxRequestMilliseconds),
        retryAttempts: 20,
        maxRecordAge: Duration.hours(12),
      },
    });
    if (!files) return;
    files.acknowledgeKeys('Purge', bucketCalls);
    new Rule(scope, 'ExpiredUploads', {
      description: 'Removes uploads that no message contains',
      schedule: Schedule.rate(Duration.minutes(expiredUploadMinutes)),
      // The next run is soon, so retries are useless.
      targets: [new FunctionTarget(this.live, { retryAttempts: 0 })],
    });
  }
}
