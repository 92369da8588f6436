import * as v from 'valibot';
import { maxGroups } from '../../shared/caller.ts';
import type { ContactWithGroups } from '../../shared/table/conversations/items/participants.ts';
import { contactKey } from '../../shared/table/keys/keys.ts';
import { erasureAttribute } from '../../shared/table/keys/names.ts';
import { getItems } from '../stage/items.ts';
import type { StageTable } from '../stage/table.ts';

const Known = v.object({
  groups: v.optional(v.array(v.string()), []),
  [erasureAttribute]: v.optional(v.number()),
});

/** The person that a command exports or erases. */
export interface Person extends ContactWithGroups {
  /** When they were erased, in milliseconds. */
  erasedAt: number | undefined;
}

/** Returns the person with the groups of their last token and the given groups. */
export async function personOf(
  table: StageTable,
  id: string,
  groups: readonly string[] = [],
): Promise<Person> {
  const [item] = await getItems(table, [contactKey(id)]);
  const { groups: known, erased_at: erasedAt } = v.parse(Known, item ?? {});
  const all = [...new Set([...groups, ...known])].slice(0, maxGroups);
  return { id, groups: all, erasedAt };
}
