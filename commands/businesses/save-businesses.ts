import { isDeepStrictEqual } from 'node:util';
import type { BusinessRecord } from '../../shared/contract/business/business.ts';
import { toBusinessItem } from '../../shared/table/businesses/business-item.ts';
import { getItems, putItems } from '../stage/batch-items.ts';
import type { StageTable } from '../stage/stage-table.ts';

export interface Saved {
  new: number;
  changed: number;
  unchanged: number;
}

/** The size of a DynamoDB batch write. Progress is reported after each batch. */
const batchSize = 25;

/** Stores the businesses in the given order. Writes only those that differ from the stored ones. */
export async function saveBusinesses(
  table: StageTable,
  businesses: readonly BusinessRecord[],
  onProgress: (done: number) => void = () => {},
): Promise<Saved> {
  const saved: Saved = { new: 0, changed: 0, unchanged: 0 };
  for (let at = 0; at < businesses.length; at += batchSize) {
    const items = businesses.slice(at, at + batchSize).map(toBusinessItem);
    const stored = new Map((await getItems(table, items)).map((item) => [item.sk, item]));
    const differing = items.filter((item) => !isDeepStrictEqual(stored.get(item.sk), item));
    await putItems(table, differing);
    const changed = differing.filter(({ sk }) => stored.has(sk)).length;
    saved.new += differing.length - changed;
    saved.changed += changed;
    saved.unchanged += items.length - differing.length;
    onProgress(at + items.length);
  }
  return saved;
}
