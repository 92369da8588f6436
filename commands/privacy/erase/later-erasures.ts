import * as v from 'valibot';
import { contactKey } from '../../../shared/table/keys/keys.ts';
import { erasureAttribute, erasureEndAttribute } from '../../../shared/table/keys/names.ts';
import { getItems } from '../../stage/batch-items.ts';
import type { StageTable } from '../../stage/stage-table.ts';
import type { RateLimiter } from '../items/rate-limiter.ts';
import { readRanges, wholeTable } from '../items/read-ranges.ts';

export interface ErasedPerson {
  id: string;
  /** Time of the first erasure in Unix milliseconds. */
  erasedAt: number;
}

const ErasureRecord = v.object({
  id: v.string(),
  [erasureAttribute]: v.optional(v.number()),
  [erasureEndAttribute]: v.optional(v.number()),
});

export interface RestoredTables {
  /** The source table, including writes since the restore point. */
  old: StageTable;
  /** The restored table, which has the state of the restore point. */
  restored: StageTable;
}

/**
 * Returns the people erased in the old table since the restore point, in the order of their first
 * erasures. Includes repeated erasures, erasures that were in progress at the restore point, and
 * erasures that may be incomplete. Reads the whole old table.
 */
export async function findLaterErasures(
  { old, restored }: RestoredTables,
  limitRate: RateLimiter,
): Promise<ErasedPerson[]> {
  const people: ErasedPerson[] = [];
  await readRanges({
    table: old,
    ranges: wholeTable,
    filter: {
      expression: `sk = :contact AND attribute_exists(${erasureAttribute})`,
      values: { ':contact': contactKey('').sk },
    },
    limitRate,
    onPage: async (items) => {
      const records = v.parse(v.array(ErasureRecord), items);
      const keys = records.map(({ id }) => contactKey(id));
      const restoredRecords = v.parse(v.array(ErasureRecord), await getItems(restored, keys));
      const restoredErasures = new Map(
        restoredRecords.map((one) => [one.id, one.erased_through ?? 0]),
      );
      for (const {
        id,
        erased_at: erasedAt = 0,
        erased_through: completedAt = erasedAt,
      } of records) {
        if ((restoredErasures.get(id) ?? 0) < completedAt) people.push({ id, erasedAt });
      }
    },
  });
  return people.sort((one, other) => one.erasedAt - other.erasedAt);
}
