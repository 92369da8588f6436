/**
 * Serves send, list and retrieve with the bare SDK and one process: the same table calls as the
 * functions, without validation, logs, events or permissions.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { listen } from '../../../local-cloud/listen.ts';

const [endpoint = '', TableName = ''] = process.argv.slice(2);
const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  }),
);
const Send = v.object({ conversation_id: v.string(), message: v.string() });
const conversationKey = (id: string) => ({ pk: `CONVERSATION#${id}`, sk: 'CONVERSATION' });
const messageKey = (id: string, n: number) => ({
  pk: `CONVERSATION#${id}`,
  sk: `MESSAGE#${String(n).padStart(12, '0')}`,
});

async function send(request: IncomingMessage) {
  const { conversation_id, message } = v.parse(Send, await json(request));
  const now = Date.now();
  const { Attributes } = await client.send(
    new UpdateCommand({
      TableName,
      Key: conversationKey(conversation_id),
      UpdateExpression: 'SET last_message_at = :now ADD message_count :one',
      ConditionExpression: 'attribute_exists(pk) AND created_by = :caller',
      ExpressionAttributeValues: { ':now': now, ':one': 1, ':caller': 'ann' },
      ReturnValues: 'ALL_NEW',
    }),
  );
  const n = Number(Attributes?.message_count);
  const item = { id: `${conversation_id}_${n}`, message, sent_by: 'ann', sent_at: now };
  const Item = { ...messageKey(conversation_id, n), ...item };
  await client.send(
    new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }),
  );
  return item;
}

async function list(conversation: string) {
  const { pk } = conversationKey(conversation);
  const [, { Items }] = await Promise.all([
    client.send(
      new GetCommand({ TableName, Key: conversationKey(conversation), ConsistentRead: true }),
    ),
    client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': 'MESSAGE#' },
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: 10,
      }),
    ),
  ]);
  return { data: Items };
}

async function retrieve(id: string) {
  const [conversation = '', n] = id.split('_');
  const Keys = [conversationKey(conversation), messageKey(conversation, Number(n))];
  const { Responses } = await client.send(
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
  );
  return Responses?.[TableName]?.find(({ sk }) => sk !== 'CONVERSATION');
}

const answer = (request: IncomingMessage) => {
  const url = new URL(request.url ?? '', 'http://localhost');
  if (request.method === 'POST') return send(request);
  const conversation = url.searchParams.get('conversation_id');
  return conversation ? list(conversation) : retrieve(url.pathname.split('/').at(-1) ?? '');
};

const server = createServer(async (request, response) => {
  const body = await answer(request);
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(body));
});
const { port } = await listen(server, 0);
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
process.stdin.resume().once('end', () => process.exit());
