import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { functionLimits } from '../../../shared/function-limits.ts';
import {
  businessSortPrefix,
  conversationSort,
  groupSort,
  idAttribute,
  membershipSortPrefix,
  messageSortPrefix,
  settingsSortPrefix,
  sharedChangeAttribute,
  tableKey,
} from '../../../shared/table/keys/names.ts';
import type { MessagingBus } from '../messaging-bus.ts';
import type { PushApi } from '../push-api.ts';
import { StreamWorker, type WorkerProps } from './stream-worker.ts';

const { sort } = tableKey;
const messageKeys = FilterRule.beginsWith(messageSortPrefix);
const membershipKeys = FilterRule.beginsWith(membershipSortPrefix);
/**
 * Returns the sort key rules of items for which the worker receives every creation and change.
 * These rules share one filter, because a mapping has at most five filters.
 */
const directlyPassed = (bus: MessagingBus | undefined) => [
  ...FilterRule.beginsWith(settingsSortPrefix),
  ...(bus ? FilterRule.beginsWith(businessSortPrefix) : []),
];
/**
 * Returns a filter for items that are not deleted. `exists` works only below an attribute's type
 * (github.com/localstack/localstack/issues/10325). A user reports that a filter had no effect after
 * an update of the mapping (github.com/aws/aws-cdk/issues/26408).
 */
const toUndeleted = (sortKeys: (object | string)[]) => ({
  [sort]: { S: sortKeys },
  [idAttribute]: { S: FilterRule.exists() },
});
/**
 * Returns a filter for changed items. Lambda's guide documents only filters by `dynamodb`, but
 * AWS's examples also filter by `eventName` (github.com/aws-samples/serverless-patterns/pull/301).
 */
const toChangeFilter = (
  OldImage: object,
  NewImage?: object,
  eventName = FilterRule.isEqual('MODIFY'),
) =>
  FilterCriteria.filter({
    eventName,
    dynamodb: { OldImage, ...(NewImage && { NewImage }) },
  });

/**
 * Number of concurrent batches per shard. With two batches, a burst or a failing item delays other
 * users less than with one batch. Lambda keeps the changes of each item in order, and feeds support
 * concurrent writers. With four batches, a burst in one group makes more than twice as many table
 * calls as with two batches, because the writers compete for each chunk.
 */
const parallelBatches = 2;

/**
 * Live worker: appends changes to feeds, publishes them to listeners and on the bus, and sends
 * businesses' automatic replies. For example, its filters drop contacts, reserved sequence numbers,
 * the worker's writes to feeds, and changes to tombstones.
 */
export class LiveWorker extends StreamWorker {
  constructor(
    scope: Construct,
    { push, bus, ...props }: WorkerProps & { push: PushApi; bus: MessagingBus | undefined },
  ) {
    super(scope, 'Live', {
      ...props,
      path: 'live',
      description: 'Appends changes to feeds and publishes them',
      limits: functionLimits.live,
      environment: {
        ...push.publisherEnvironment,
        ...push.receiptsEnvironment,
        ...bus?.publisherEnvironment,
      },
      statements: [push.createPublishStatement(), bus?.createPutStatement() ?? []].flat(),
      calls: {
        conversations: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
        contacts: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
        businesses: ['BatchGetItem'],
        feeds: ['Query', 'PutItem', 'UpdateItem'],
        groups: ['UpdateItem'],
      },
      eventSource: {
        filters: [
          FilterCriteria.filter({
            eventName: FilterRule.isEqual('INSERT'),
            dynamodb: {
              NewImage: toUndeleted([conversationSort, ...messageKeys, ...membershipKeys]),
            },
          }),
          toChangeFilter(toUndeleted(messageKeys)),
          toChangeFilter(toUndeleted([conversationSort, groupSort]), {
            [sharedChangeAttribute]: { BOOL: FilterRule.exists() },
          }),
          toChangeFilter(
            toUndeleted([conversationSort, ...membershipKeys]),
            { [idAttribute]: { S: FilterRule.notExists() } },
            FilterRule.or('MODIFY', 'REMOVE'),
          ),
          FilterCriteria.filter({
            eventName: FilterRule.or('INSERT', 'MODIFY'),
            dynamodb: { NewImage: { [sort]: { S: directlyPassed(bus) } } },
          }),
        ],
        parallelizationFactor: parallelBatches,
        // Retries for almost a day, because the stream retains records for 24 hours.
        maxRecordAge: Duration.hours(23),
      },
    });
  }
}
