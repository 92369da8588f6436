import type { Caller } from '../../../caller.ts';
import { getOtherContact, type ParticipantFields } from '../items/participants.ts';

/** Which of the caller's conversations a list is of, whatever the caller has made of them. */
export interface Filters {
  /** Those of this group. */
  groupId: string | undefined;
  /** The direct ones with this contact; with a group, those of it whose other contact it is. */
  contactId: string | undefined;
}

/** Of conversations that the caller takes part in. `filterCondition` says the same to an index. */
export const matchesFilters = (
  { groupId, contactId }: Filters,
  conversation: ParticipantFields,
  caller: Caller,
): boolean =>
  (groupId === undefined
    ? contactId === undefined || conversation.group_id === undefined
    : conversation.group_id === groupId) &&
  (contactId === undefined || getOtherContact(conversation, caller.id) === contactId);

/** As a condition on what an inbox has of a conversation; undefined where all are wanted. */
export function toFilterCondition({ groupId, contactId }: Filters, caller: Caller) {
  if (groupId === undefined && contactId === undefined) return undefined;
  const named = [
    'contact_id = :contact',
    ...(contactId === caller.id ? ['created_by = :caller'] : []),
  ];
  const conditions = [
    groupId === undefined ? 'attribute_not_exists(group_id)' : 'group_id = :group',
    ...(contactId === undefined
      ? []
      : [`((${named.join(' AND ')}) OR (contact_id = :caller AND created_by = :contact))`]),
  ];
  return {
    expression: conditions.join(' AND '),
    values: {
      ...(groupId !== undefined && { ':group': groupId }),
      ...(contactId !== undefined && { ':contact': contactId, ':caller': caller.id }),
    },
  };
}
