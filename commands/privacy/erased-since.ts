import * as v from 'valibot';
import { contactKey } from '../../shared/table/keys/keys.ts';
import { erasureAttribute, erasureEndAttribute } from '../../shared/table/keys/names.ts';
import { getItems } from '../stage/items.ts';
import type { StageTable } from '../stage/table.ts';
import type { Pace } from './pace.ts';
import { walk, wholeTable } from './walk.ts';

/** Somebody who was erased; times are in milliseconds. */
export interface ErasedPerson {
  id: string;
  erasedAt: number;
}

const Record = v.object({
  id: v.string(),
  [erasureAttribute]: v.optional(v.number()),
  [erasureEndAttribute]: v.optional(v.number()),
});

/**
 * Of two states of a table: `old` is as people have gone on, `restored` has what was there before.
 */
export interface TwoTables {
  old: StageTable;
  restored: StageTable;
}

/**
 * Who was erased in the old table, or erased once more, since it was as the restored one is; who
 * was first comes first. An erasure that was under way at that moment counts: so may one of which
 * it is not known whether it was ever at its end. Reads all of the old table.
 */
export async function erasedSince(
  { old, restored }: TwoTables,
  pace: Pace,
): Promise<ErasedPerson[]> {
  const found: ErasedPerson[] = [];
  await walk({
    table: old,
    legs: wholeTable,
    filter: {
      expression: `sk = :contact AND attribute_exists(${erasureAttribute})`,
      values: { ':contact': contactKey('').sk },
    },
    pace,
    onPage: async (items) => {
      const erased = v.parse(v.array(Record), items);
      const keys = erased.map(({ id }) => contactKey(id));
      const there = v.parse(v.array(Record), await getItems(restored, keys));
      const goneThrough = new Map(there.map((one) => [one.id, one.erased_through ?? 0]));
      for (const { id, erased_at: erasedAt = 0, erased_through: last = erasedAt } of erased) {
        if ((goneThrough.get(id) ?? 0) < last) found.push({ id, erasedAt });
      }
    },
  });
  return found.sort((one, other) => one.erasedAt - other.erasedAt);
}
