import * as v from 'valibot';
import { maxGroups } from '../../../shared/caller.ts';
import type { ContactWithGroups } from '../../../shared/table/conversations/items/participants.ts';
import { contactKey } from '../../../shared/table/keys/keys.ts';
import { erasureAttribute } from '../../../shared/table/keys/names.ts';
import { getItems } from '../../stage/batch-items.ts';
import type { StageTable } from '../../stage/stage-table.ts';

const KnownContact = v.object({
  groups: v.optional(v.array(v.string()), []),
  [erasureAttribute]: v.optional(v.number()),
});

/** The person that a command exports or erases. */
export interface Person extends ContactWithGroups {
  /** When they were erased, in milliseconds. */
  erasedAt: number | undefined;
}

/** Returns the person with the groups of their last token and the given groups. */
export async function readPerson(
  table: StageTable,
  id: string,
  groups: readonly string[] = [],
): Promise<Person> {
  const [item] = await getItems(table, [contactKey(id)]);
  const { groups: stored, erased_at: erasedAt } = v.parse(KnownContact, item ?? {});
  const all = [...new Set([...groups, ...stored])].slice(0, maxGroups);
  return { id, groups: all, erasedAt };
}
