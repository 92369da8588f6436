import { isDeepStrictEqual } from 'node:util';
import type { BusinessRecord } from '../../shared/contract/business/business.ts';
import { parseBusinessItem, toBusinessItem } from '../../shared/table/businesses/business-item.ts';
import {
  toSearchEntries,
  withFewerRepeated,
} from '../../shared/table/businesses/search/search-entries.ts';
import type { Item } from '../../shared/table/calls/access.ts';
import { deleteItems, getItems, putItems } from '../stage/batch-items.ts';
import type { StageTable } from '../stage/stage-table.ts';

export interface Saved {
  new: number;
  changed: number;
  unchanged: number;
}

/** DynamoDB's maximum number of items in a batch write. */
const batchSize = 25;
const concurrentBatches = 8;

/**
 * Stores the businesses in concurrent batches. Writes only new and changed businesses.
 * If a batch fails, completes the batches in progress, then throws.
 */
export async function saveBusinesses(
  table: StageTable,
  businesses: readonly BusinessRecord[],
  onProgress: (done: number) => void = () => {},
): Promise<Saved> {
  const saved: Saved = { new: 0, changed: 0, unchanged: 0 };
  const remaining = Array.from({ length: Math.ceil(businesses.length / batchSize) }, (_, n) =>
    businesses.slice(n * batchSize, (n + 1) * batchSize),
  );
  const saveRemaining = async () => {
    for (let batch = remaining.shift(); batch; batch = remaining.shift()) {
      const counts = await saveBatch(table, batch);
      saved.new += counts.new;
      saved.changed += counts.changed;
      saved.unchanged += counts.unchanged;
      onProgress(saved.new + saved.changed + saved.unchanged);
    }
  };
  const stop = (error: unknown) => {
    remaining.length = 0;
    throw error;
  };
  const results = await Promise.allSettled(
    Array.from({ length: concurrentBatches }, () => saveRemaining().catch(stop)),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return saved;
}

/**
 * Writes new search entries first and deletes old entries last, so that searches find every
 * business even after an interruption. Searches ignore any old entries that remain.
 */
async function saveBatch(table: StageTable, batch: readonly BusinessRecord[]): Promise<Saved> {
  const items = batch.map((record) => ({ record, item: toBusinessItem(record) }));
  const found = await getItems(
    table,
    items.map(({ item }) => item),
  );
  const stored = new Map(found.map((item) => [item.sk, item]));
  const differing = items.filter(({ item }) => !isDeepStrictEqual(stored.get(item.sk), item));
  const entries = differing.flatMap(({ record }) => toSearchEntries(record));
  const current = new Set(entries.map(toKeyText));
  const oldEntries = new Map(
    differing
      .flatMap(({ item }) => {
        const before = stored.get(item.sk);
        return before ? toSearchEntries(parseBusinessItem(before)) : [];
      })
      .map((entry) => [toKeyText(entry), entry]),
  );
  const interimEntries = entries.map((entry) => {
    const before = oldEntries.get(toKeyText(entry));
    return before ? withFewerRepeated(entry, before) : entry;
  });
  await putItems(table, interimEntries);
  await putItems(
    table,
    differing.map(({ item }) => item),
  );
  await putItems(
    table,
    entries.filter((entry, n) => !isDeepStrictEqual(entry, interimEntries[n])),
  );
  await deleteItems(
    table,
    [...oldEntries.values()]
      .filter((entry) => !current.has(toKeyText(entry)))
      .map(({ pk, sk }) => ({ pk, sk })),
  );
  const changed = differing.filter(({ item }) => stored.has(item.sk)).length;
  return {
    new: differing.length - changed,
    changed,
    unchanged: items.length - differing.length,
  };
}

const toKeyText = ({ pk, sk }: Item) => `${pk} ${sk}`;
