import type { BusinessRecord } from '../../contract/business/business.ts';
import { countFitting } from '../../paging.ts';
import { queryPage } from '../calls/access.ts';
import { activeBusinessPartition, businessKey } from '../keys/business-keys.ts';
import { indexes, tableKey } from '../keys/names.ts';
import { parseBusinessItem } from './business-item.ts';

export interface BusinessRange {
  onlyActive: boolean;
  backwards: boolean;
  /**
   * Position to start after: a public id, which need not exist, or a position of a
   * `BusinessSearch`.
   */
  from: string | undefined;
  count: number;
  /** Converts a listing to its reply. The replies' total size limits the number of listings. */
  toReply: (record: BusinessRecord) => object;
}

/**
 * Returns up to `count` listings; fewer if they exceed the maximum size of a reply. The listings
 * may lack changes made within the last second.
 */
export async function queryBusinesses(range: BusinessRange): Promise<BusinessRecord[]> {
  const found: BusinessRecord[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await queryPage({
      ...toQuery(range),
      ScanIndexForward: !range.backwards,
      Limit: range.count - found.length,
      ExclusiveStartKey: start,
    });
    found.push(...page.items.map(parseBusinessItem));
    start = page.next;
  } while (
    start &&
    found.length < range.count &&
    countFitting(found.map(range.toReply)) === found.length
  );
  return found;
}

/**
 * Returns the query's parameters. The index and the table have the same sort keys. An empty id
 * sorts before all listings.
 */
function toQuery({ onlyActive, backwards, from = '' }: BusinessRange) {
  const { partition, sort } = onlyActive ? indexes.gsi1 : tableKey;
  const { pk, sk } = businessKey(from);
  return {
    ...(onlyActive && { IndexName: 'gsi1' }),
    KeyConditionExpression: `${partition} = :partition AND ${sort} ${backwards ? '<' : '>'} :from`,
    ExpressionAttributeValues: {
      ':partition': onlyActive ? activeBusinessPartition : pk,
      ':from': sk,
    },
  };
}
