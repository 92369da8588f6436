import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { type Item, queryPage } from '../../../shared/table/calls/access.ts';

export async function queryAll(input: Omit<QueryCommandInput, 'TableName'>): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await queryPage({ ...input, ExclusiveStartKey: start });
    items.push(...page.items);
    start = page.next;
  } while (start);
  return items;
}
