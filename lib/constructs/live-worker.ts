import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { functionLimits } from '../../shared/function-limits.ts';
import {
  conversationSort,
  idAttribute,
  messageSortPrefix,
  settingsSortPrefix,
  tableKey,
} from '../../shared/table/keys/names.ts';
import type { PushApi } from './push-api.ts';
import { StreamWorker, type WorkerProps } from './stream-worker.ts';

const { sort } = tableKey;
const ofConversations = [conversationSort, ...FilterRule.beginsWith(messageSortPrefix)];
const alive = { [sort]: { S: ofConversations }, [idAttribute]: { S: FilterRule.exists() } };

/**
 * Tells what happens in the feeds of those who may see it, and then to whoever of them listens. It is woken by what is
 * listed here and by nothing else: a conversation or a message that is new, any change of one that is alive, and anybody's
 * settings. So neither its own writes wake it, nor the purge's removals, markers of deleted messages, contacts or what
 * expires.
 */
export class LiveWorker extends StreamWorker {
  constructor(scope: Construct, { push, ...props }: WorkerProps & { push: PushApi }) {
    super(scope, 'Live', {
      ...props,
      path: 'live',
      description: 'Tells what happens in the feeds of those who may see it',
      limits: functionLimits.live,
      environment: push.publisherEnvironment,
      statements: [push.publishes()],
      calls: {
        conversations: ['BatchGetItem'],
        contacts: ['BatchGetItem'],
        feeds: ['Query', 'PutItem', 'UpdateItem'],
      },
      wakes: {
        filters: [
          FilterCriteria.filter({
            eventName: FilterRule.isEqual('INSERT'),
            dynamodb: { NewImage: alive },
          }),
          FilterCriteria.filter({
            eventName: FilterRule.isEqual('MODIFY'),
            dynamodb: { OldImage: alive },
          }),
          FilterCriteria.filter({
            eventName: FilterRule.or('INSERT', 'MODIFY'),
            dynamodb: { NewImage: { [sort]: { S: FilterRule.beginsWith(settingsSortPrefix) } } },
          }),
        ],
        // As many tries as there is time for: a stream keeps its records for a day.
        maxRecordAge: Duration.hours(23),
      },
    });
  }
}
