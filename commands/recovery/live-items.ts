import { paginateScan, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../shared/table/calls/access.ts';
import {
  conversationSort,
  deletionAttribute,
  groupSort,
  membershipSortPrefix,
  tableKey,
} from '../../shared/table/keys/names.ts';
import type { StageTable } from '../stage/stage-table.ts';

type Filter = Required<Pick<ScanCommandInput, 'FilterExpression' | 'ExpressionAttributeValues'>>;

/** Iterates page by page over the matching items that are not tombstones. Pages can be empty. */
async function* readLiveItems(
  { client, name }: StageTable,
  { FilterExpression, ExpressionAttributeValues }: Filter,
): AsyncGenerator<Item[]> {
  const pages = paginateScan(
    { client },
    {
      TableName: name,
      FilterExpression: `attribute_not_exists(${deletionAttribute}) AND (${FilterExpression})`,
      ExpressionAttributeValues,
    },
  );
  for await (const { Items = [] } of pages) yield Items;
}

export const readLiveConversations = (table: StageTable): AsyncGenerator<Item[]> =>
  readLiveItems(table, {
    FilterExpression: `${tableKey.sort} = :conversation`,
    ExpressionAttributeValues: { ':conversation': conversationSort },
  });

/**
 * Iterates over all memberships, and over the conversations and user groups that are not deleted.
 */
export const readDeletableItems = (table: StageTable): AsyncGenerator<Item[]> =>
  readLiveItems(table, {
    FilterExpression: `${tableKey.sort} IN (:conversation, :group) OR begins_with(${tableKey.sort}, :membership)`,
    ExpressionAttributeValues: {
      ':conversation': conversationSort,
      ':group': groupSort,
      ':membership': membershipSortPrefix,
    },
  });
