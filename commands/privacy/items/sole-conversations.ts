import * as v from 'valibot';
import { getOtherContact } from '../../../shared/table/conversations/items/participants.ts';
import { contactKey } from '../../../shared/table/keys/keys.ts';
import { erasureAttribute } from '../../../shared/table/keys/names.ts';
import { getItems } from '../../stage/batch-items.ts';
import type { StageTable } from '../../stage/stage-table.ts';
import type { FoundItem } from './find-person-items.ts';

const ErasedContact = v.object({ id: v.string(), [erasureAttribute]: v.number() });

/**
 * Returns the ids of the conversations without another participant: direct conversations of the
 * person with themself or with an erased person. Excludes group conversations, because members of
 * token groups are not stored.
 */
export async function findSoleConversations(
  table: StageTable,
  foundItems: readonly FoundItem[],
  id: string,
): Promise<Set<string>> {
  const direct = foundItems.flatMap(({ item }) =>
    item.kind === 'conversation' && item.conversation.group_id === undefined
      ? [{ id: item.conversation.id, other: getOtherContact(item.conversation, id) ?? id }]
      : [],
  );
  const others = [...new Set(direct.map(({ other }) => other))].filter((other) => other !== id);
  const contacts = await getItems(table, others.map(contactKey));
  const erased = new Set([
    id,
    ...contacts.flatMap((item) => {
      const parsed = v.safeParse(ErasedContact, item);
      return parsed.success ? [parsed.output.id] : [];
    }),
  ]);
  return new Set(direct.filter(({ other }) => erased.has(other)).map((one) => one.id));
}
