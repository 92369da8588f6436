import * as v from 'valibot';
import { getOtherContact } from '../../shared/table/conversations/items/participants.ts';
import { contactKey } from '../../shared/table/keys/keys.ts';
import { erasureAttribute } from '../../shared/table/keys/names.ts';
import { getItems } from '../stage/items.ts';
import type { StageTable } from '../stage/table.ts';
import type { Found } from './found.ts';

const Erased = v.object({ id: v.string(), [erasureAttribute]: v.number() });

/**
 * Returns the conversations without another participant: direct ones with themself or with an
 * erased person. Members of groups are not stored, so group conversations are never included.
 */
export async function aloneAmong(
  table: StageTable,
  found: readonly Found[],
  id: string,
): Promise<Set<string>> {
  const direct = found.flatMap(({ thing }) =>
    thing.kind === 'conversation' && thing.conversation.group_id === undefined
      ? [{ id: thing.conversation.id, other: getOtherContact(thing.conversation, id) ?? id }]
      : [],
  );
  const others = [...new Set(direct.map(({ other }) => other))].filter((other) => other !== id);
  const contacts = await getItems(table, others.map(contactKey));
  const gone = new Set([
    id,
    ...contacts.flatMap((item) => {
      const read = v.safeParse(Erased, item);
      return read.success ? [read.output.id] : [];
    }),
  ]);
  return new Set(direct.filter(({ other }) => gone.has(other)).map((one) => one.id));
}
