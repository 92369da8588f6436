import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../shared/table/calls/access.ts';
import { conversationSort, deletionAttribute, tableKey } from '../../shared/table/keys/names.ts';
import type { StageTable } from '../stage/stage-table.ts';

/**
 * Iterates over the conversations of a table that are not deleted, by page of the table. Pages can
 * be empty.
 */
export async function* readLiveConversations({ client, name }: StageTable): AsyncGenerator<Item[]> {
  const pages = paginateScan(
    { client },
    {
      TableName: name,
      FilterExpression: `${tableKey.sort} = :conversation AND attribute_not_exists(${deletionAttribute})`,
      ExpressionAttributeValues: { ':conversation': conversationSort },
    },
  );
  for await (const { Items = [] } of pages) yield Items;
}
