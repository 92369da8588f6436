import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { functionLimits } from '../../../shared/function-limits.ts';
import {
  businessSortPrefix,
  conversationSort,
  idAttribute,
  messageSortPrefix,
  settingsSortPrefix,
  sharedChangeAttribute,
  tableKey,
} from '../../../shared/table/keys/names.ts';
import type { MessagingBus } from '../messaging-bus.ts';
import type { PushApi } from '../push-api.ts';
import { StreamWorker, type WorkerProps } from './stream-worker.ts';

const { sort } = tableKey;
const ofMessage = FilterRule.beginsWith(messageSortPrefix);
/** A mapping has at most five filters, so settings and listings share one. */
const directlyPassed = (bus: MessagingBus | undefined) => [
  ...FilterRule.beginsWith(settingsSortPrefix),
  ...(bus ? FilterRule.beginsWith(businessSortPrefix) : []),
];
const toUndeleted = (sortKeys: (object | string)[]) => ({
  [sort]: { S: sortKeys },
  [idAttribute]: { S: FilterRule.exists() },
});
const toChangeFilter = (OldImage: object, NewImage?: object) =>
  FilterCriteria.filter({
    eventName: FilterRule.isEqual('MODIFY'),
    dynamodb: { OldImage, ...(NewImage && { NewImage }) },
  });

/**
 * Batches of a shard at a time. Lambda keeps the changes of one item in order, and feeds have any
 * number of writers, so a burst or a failing item delays other users' events less. With four, a
 * burst in one group takes more than twice the table calls, as its writers compete for each chunk.
 */
const parallelBatches = 2;

/**
 * Live worker: appends changes to feeds, publishes them to listeners and on the bus, and sends
 * automatic replies of businesses. The event filter passes new conversations and messages, changes
 * of messages, shared changes and deletions of conversations, changes of settings, and for a bus,
 * changes of listings. Reserved sequence numbers, its own writes, the purge's removals, tombstones,
 * contacts and expired items do not invoke it.
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
            dynamodb: { NewImage: toUndeleted([conversationSort, ...ofMessage]) },
          }),
          toChangeFilter(toUndeleted(ofMessage)),
          toChangeFilter(toUndeleted([conversationSort]), {
            [sharedChangeAttribute]: { BOOL: FilterRule.exists() },
          }),
          toChangeFilter(toUndeleted([conversationSort]), {
            [idAttribute]: { S: FilterRule.notExists() },
          }),
          FilterCriteria.filter({
            eventName: FilterRule.or('INSERT', 'MODIFY'),
            dynamodb: { NewImage: { [sort]: { S: directlyPassed(bus) } } },
          }),
        ],
        parallelizationFactor: parallelBatches,
        // Retries for nearly the day for which a stream retains records.
        maxRecordAge: Duration.hours(23),
      },
    });
  }
}
