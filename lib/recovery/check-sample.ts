import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import {
  conversationSort,
  deletionAttribute,
  indexes,
  tableKey,
} from '../../shared/table/keys/names.ts';

export interface Sample {
  /** Conversations that were looked at. */
  conversations: number;
  /** What is wrong with them, a sentence each. */
  faults: string[];
}

const wanted = 20;
const mostPages = 50;

const Conversation = v.object({
  pk: v.string(),
  gsi1pk: v.string(),
  activity: v.string(),
  message_count: v.number(),
});
type Conversation = v.InferOutput<typeof Conversation>;
const Message = v.object({ sequence: v.number() });

type Item = Record<string, AttributeValue>;
const all = <Schema extends v.GenericSchema>(schema: Schema, items: Item[] = []) =>
  v.parse(
    v.array(schema),
    items.map((item) => unmarshall(item)),
  );

/**
 * Looks at some conversations that are not deleted: no message stands at a place that its conversation has not given
 * out, and each is in its inbox, as would not be so if the table had not been taken at one point in time.
 */
export async function checkSample(client: DynamoDBClient, TableName: string): Promise<Sample> {
  const conversations = await someConversations(client, TableName);
  const faults: string[] = [];
  for (const one of conversations) {
    faults.push(...(await faultsOf(client, TableName, one)));
  }
  return { conversations: conversations.length, faults };
}

async function someConversations(
  client: DynamoDBClient,
  TableName: string,
): Promise<Conversation[]> {
  const found: Conversation[] = [];
  let from: Item | undefined;
  for (let page = 0; page < mostPages && found.length < wanted; page++) {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({
        TableName,
        FilterExpression: `${tableKey.sort} = :conversation AND attribute_not_exists(${deletionAttribute})`,
        ExpressionAttributeValues: { ':conversation': { S: conversationSort } },
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    found.push(...all(Conversation, Items));
    from = LastEvaluatedKey;
    if (!from) break;
  }
  return found.slice(0, wanted);
}

async function faultsOf(
  client: DynamoDBClient,
  TableName: string,
  { pk, gsi1pk, activity, message_count }: Conversation,
): Promise<string[]> {
  const newest = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: `${tableKey.partition} = :pk AND begins_with(${tableKey.sort}, :message)`,
      FilterExpression: 'attribute_exists(id)',
      ExpressionAttributeValues: { ':pk': { S: pk }, ':message': { S: 'MESSAGE#' } },
      ScanIndexForward: false,
      Limit: 100,
      ConsistentRead: true,
    }),
  );
  const { partition, sort } = indexes.gsi1;
  const inInbox = await client.send(
    new QueryCommand({
      TableName,
      IndexName: 'gsi1',
      KeyConditionExpression: `${partition} = :inbox AND ${sort} = :activity`,
      ExpressionAttributeValues: { ':inbox': { S: gsi1pk }, ':activity': { S: activity } },
    }),
  );
  const [{ sequence } = { sequence: 0 }] = all(Message, newest.Items);
  return [
    ...(sequence > message_count
      ? [`${pk} has a message at place ${sequence}, and has given out ${message_count}.`]
      : []),
    ...(inInbox.Items?.length === 1 ? [] : [`${pk} is not in its inbox in gsi1.`]),
  ];
}
