import * as v from 'valibot';
import { contactKey } from '../../shared/table/keys/keys.ts';
import { erasureAttribute, erasureEndAttribute } from '../../shared/table/keys/names.ts';
import { getItems } from '../stage/items.ts';
import type { StageTable } from '../stage/table.ts';
import type { Pace } from './pace.ts';
import { walk, wholeTable } from './walk.ts';

/** An erased person; times are in milliseconds. */
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
 * Two states of a table: `old` has received writes since the restore point, `restored` has the
 * earlier state.
 */
export interface TwoTables {
  old: StageTable;
  restored: StageTable;
}

/**
 * Returns the people erased in the old table, once or again, since the restore point, oldest first.
 * Includes erasures in progress at that point and those that may not have completed. Reads the
 * whole old table.
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
