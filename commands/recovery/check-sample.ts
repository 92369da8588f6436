import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { indexes, tableKey } from '../../shared/table/keys/names.ts';
import type { StageTable } from '../stage/stage-table.ts';
import { readLiveConversations } from './live-items.ts';

export interface Sample {
  /** Number of conversations checked. */
  conversations: number;
  /** Faults of the checked conversations, one sentence each. */
  faults: string[];
}

const maxConversations = 20;
const maxPages = 50;

const Conversation = v.object({
  pk: v.string(),
  gsi1pk: v.string(),
  activity: v.string(),
  message_count: v.number(),
});
type Conversation = v.InferOutput<typeof Conversation>;
const Message = v.object({ sequence: v.number() });

/**
 * Checks up to 20 conversations that are not deleted, from at most 50 pages of a scan. The newest
 * message's sequence number must not exceed the conversation's counter of reserved sequence
 * numbers, and gsi1 must contain the conversation. Both conditions hold in a table restored to a
 * single point in time.
 */
export async function checkSample(table: StageTable): Promise<Sample> {
  const conversations = await readConversations(table);
  const faults: string[] = [];
  for (const one of conversations) faults.push(...(await findFaults(table, one)));
  return { conversations: conversations.length, faults };
}

async function readConversations(table: StageTable): Promise<Conversation[]> {
  const found: Conversation[] = [];
  let pages = 0;
  for await (const items of readLiveConversations(table)) {
    found.push(...v.parse(v.array(Conversation), items));
    pages += 1;
    if (found.length >= maxConversations || pages === maxPages) break;
  }
  return found.slice(0, maxConversations);
}

async function findFaults(
  { client, name: TableName }: StageTable,
  { pk, gsi1pk, activity, message_count }: Conversation,
): Promise<string[]> {
  const newest = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: `${tableKey.partition} = :pk AND begins_with(${tableKey.sort}, :message)`,
      FilterExpression: 'attribute_exists(id)',
      ExpressionAttributeValues: { ':pk': pk, ':message': 'MESSAGE#' },
      ScanIndexForward: false,
      Limit: 100,
      ConsistentRead: true,
    }),
  );
  const { partition, sort } = indexes.gsi1;
  const inboxEntry = await client.send(
    new QueryCommand({
      TableName,
      IndexName: 'gsi1',
      KeyConditionExpression: `${partition} = :inbox AND ${sort} = :activity`,
      ExpressionAttributeValues: { ':inbox': gsi1pk, ':activity': activity },
    }),
  );
  const [{ sequence } = { sequence: 0 }] = v.parse(v.array(Message), newest.Items ?? []);
  return [
    ...(sequence > message_count
      ? [
          `${pk} has a message with sequence number ${sequence}, but its counter is ${message_count}.`,
        ]
      : []),
    ...(inboxEntry.Items?.length === 1 ? [] : [`${pk} is missing from its inbox in gsi1.`]),
  ];
}
