import type { BusinessRecord } from '../../contract/business.ts';
import { countFitting } from '../../reply-size.ts';
import { queryPage } from '../calls/access.ts';
import { activeBusinesses, businessKey } from '../keys/keys.ts';
import { indexes, tableKey } from '../keys/names.ts';
import { parseBusinessItem } from './business-item.ts';

export interface BusinessRange {
  onlyActive: boolean;
  /** Against the order of the public ids. */
  backwards: boolean;
  /**
   * The public id to start from, itself not given; without it, from the first. It need not exist.
   */
  from: string | undefined;
  count: number;
  /** How the reply shows them, by which it is full. */
  toReply: (record: BusinessRecord) => object;
}

/**
 * Up to `count` listings in the direction of travel, or as many as one reply can hold and one more;
 * fewer only where they end. They may be a second old.
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
 * The index has the same sort key as the table: without a cursor, all of them are above that of no
 * id.
 */
function toQuery({ onlyActive, backwards, from = '' }: BusinessRange) {
  const { partition, sort } = onlyActive ? indexes.gsi1 : tableKey;
  const { pk, sk } = businessKey(from);
  return {
    ...(onlyActive && { IndexName: 'gsi1' }),
    KeyConditionExpression: `${partition} = :partition AND ${sort} ${backwards ? '<' : '>'} :from`,
    ExpressionAttributeValues: { ':partition': onlyActive ? activeBusinesses : pk, ':from': sk },
  };
}
