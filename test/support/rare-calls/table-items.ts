import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import type { Key } from '../../../shared/table/keys/keys.ts';

export const hour = 60 * 60 * 1000;

/** Opens a local cloud's table, to read and write items without calling functions. */
export function openItems({ tableEndpoint, tableName: TableName }: Cloud) {
  const config = toLocalServiceConfig(tableEndpoint);
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(config));
  return {
    put: (item: object) => table.send(new PutCommand({ TableName, Item: { ...item } })),
    read: async (key: Key) => {
      const input = { TableName, Key: { ...key }, ConsistentRead: true };
      return (await table.send(new GetCommand(input))).Item;
    },
    update: (key: Key, update: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
      table.send(new UpdateCommand({ TableName, Key: { ...key }, ...update })),
    remove: (key: Key) => table.send(new DeleteCommand({ TableName, Key: { ...key } })),
    close: () => table.destroy(),
  };
}

export type Items = ReturnType<typeof openItems>;
