import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../shared/table/calls/access.ts';
import { conversationSort, deletionAttribute, tableKey } from '../../shared/table/keys/names.ts';
import type { StageTable } from '../stage/table.ts';

/** All conversations of a table that are not deleted, a page of the table at a time: some pages have none. */
export async function* liveConversations({ client, name }: StageTable): AsyncGenerator<Item[]> {
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
