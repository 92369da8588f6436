import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../shared/table/calls/access.ts';
import type { Key } from '../../shared/table/keys/keys.ts';
import type { StageTable } from './table.ts';
import { untilDone } from './until-done.ts';

/** The sizes of DynamoDB batch reads and writes. */
const maxRead = 100;
const maxWritten = 25;

/** Reads the existing items among the keys, unordered and strongly consistent. */
export async function getItems(
  { client, name }: StageTable,
  keys: readonly Key[],
): Promise<Item[]> {
  const found: Item[] = [];
  const wanted: Item[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  await inPortions(wanted, maxRead, async (Keys) => {
    const RequestItems = { [name]: { Keys, ConsistentRead: true } };
    const output = await client.send(new BatchGetCommand({ RequestItems }));
    found.push(...(output.Responses?.[name] ?? []));
    return output.UnprocessedKeys?.[name]?.Keys;
  });
  return found;
}

export const putItems = (table: StageTable, items: readonly Item[]): Promise<void> =>
  write(
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
  );

export const removeItems = (table: StageTable, keys: readonly Item[]): Promise<void> =>
  write(
    table,
    keys.map((Key) => ({ DeleteRequest: { Key } })),
  );

type Request = { PutRequest: { Item: Item } } | { DeleteRequest: { Key: Item } };

const write = ({ client, name }: StageTable, requests: Request[]) =>
  inPortions(requests, maxWritten, async (some) => {
    const output = await client.send(new BatchWriteCommand({ RequestItems: { [name]: some } }));
    return output.UnprocessedItems?.[name]?.flatMap(({ PutRequest, DeleteRequest }): Request[] => {
      if (PutRequest?.Item) return [{ PutRequest: { Item: PutRequest.Item } }];
      return DeleteRequest?.Key ? [{ DeleteRequest: { Key: DeleteRequest.Key } }] : [];
    });
  });

async function inPortions<Part>(
  parts: Part[],
  size: number,
  send: (some: Part[]) => Promise<Part[] | undefined>,
): Promise<void> {
  for (let at = 0; at < parts.length; at += size) await untilDone(parts.slice(at, at + size), send);
}
