import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../shared/table/calls/access.ts';
import type { Key } from '../../shared/table/keys/keys.ts';
import { sendUntilProcessed } from './send-until-processed.ts';
import type { StageTable } from './stage-table.ts';

/** Maximum number of items in DynamoDB batch reads and writes. */
const maxReadBatch = 100;
const maxWriteBatch = 25;

/** Returns the existing items with these keys, unordered. Reads with strong consistency. */
export async function getItems(
  { client, name }: StageTable,
  keys: readonly Key[],
): Promise<Item[]> {
  const found: Item[] = [];
  const wanted: Item[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  await sendInBatches(wanted, maxReadBatch, async (Keys) => {
    const RequestItems = { [name]: { Keys, ConsistentRead: true } };
    const output = await client.send(new BatchGetCommand({ RequestItems }));
    found.push(...(output.Responses?.[name] ?? []));
    return output.UnprocessedKeys?.[name]?.Keys;
  });
  return found;
}

export const putItems = (table: StageTable, items: readonly Item[]): Promise<void> =>
  writeItems(
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
  );

export const deleteItems = (table: StageTable, keys: readonly Item[]): Promise<void> =>
  writeItems(
    table,
    keys.map((Key) => ({ DeleteRequest: { Key } })),
  );

type WriteRequest = { PutRequest: { Item: Item } } | { DeleteRequest: { Key: Item } };

const writeItems = ({ client, name }: StageTable, requests: WriteRequest[]) =>
  sendInBatches(requests, maxWriteBatch, async (batch) => {
    const output = await client.send(new BatchWriteCommand({ RequestItems: { [name]: batch } }));
    return output.UnprocessedItems?.[name]?.flatMap(
      ({ PutRequest, DeleteRequest }): WriteRequest[] => {
        if (PutRequest?.Item) return [{ PutRequest: { Item: PutRequest.Item } }];
        return DeleteRequest?.Key ? [{ DeleteRequest: { Key: DeleteRequest.Key } }] : [];
      },
    );
  });

async function sendInBatches<Entry>(
  entries: Entry[],
  size: number,
  send: (batch: Entry[]) => Promise<Entry[] | undefined>,
): Promise<void> {
  for (let start = 0; start < entries.length; start += size)
    await sendUntilProcessed(entries.slice(start, start + size), send);
}
