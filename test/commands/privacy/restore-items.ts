import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { putItems } from '../../../commands/stage/batch-items.ts';
import type { StageTable } from '../../../commands/stage/stage-table.ts';
import type { Item } from '../../../shared/table/calls/access.ts';
import { allItems, table } from './person-fixture.ts';

/** Replaces the table's contents with the given items. */
export async function restoreItems(items: readonly Item[]): Promise<void> {
  const keys = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  const others = (await allItems()).filter(({ pk, sk }) => !keys.has(`${pk} ${sk}`));
  const requests = [
    ...items.map((Item) => ({ PutRequest: { Item } })),
    ...others.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  ];
  for (let at = 0; at < requests.length; at += 25) {
    const RequestItems = { [table.name]: requests.slice(at, at + 25) };
    await table.client.send(new BatchWriteCommand({ RequestItems }));
  }
}

export async function createTableWith(name: string, items: readonly Item[]): Promise<StageTable> {
  await new DynamoDBClient().send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  const target = { name, client: table.client };
  await putItems(target, items);
  return target;
}
