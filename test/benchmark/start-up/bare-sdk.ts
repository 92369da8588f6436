/** Makes the three table calls of a send with only the SDK's client. */
import { DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({});

export const handler = async ({ body }: { body: string }) => {
  const { conversation_id, message } = JSON.parse(body);
  const Key = { pk: { S: String(conversation_id) }, sk: { S: 'CONVERSATION' } };
  const { Attributes } = await client.send(new UpdateItemCommand({ TableName: 'table', Key }));
  await client.send(new UpdateItemCommand({ TableName: 'table', Key }));
  const Item = { ...Key, message: { S: String(message) } };
  await client.send(new PutItemCommand({ TableName: 'table', Item }));
  return { statusCode: 201, body: JSON.stringify(Attributes) };
};
