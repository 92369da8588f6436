import type { Caller } from '../../../caller.ts';
import { getOtherContact, type ParticipantFields } from '../items/participants.ts';

export interface Filters {
  groupId: string | undefined;
  /**
   * Selects direct conversations with this contact or, if `groupId` is set, the group's
   * conversations with the contact.
   */
  contactId: string | undefined;
}

/**
 * Reports whether a visible conversation matches the filters. `toFilterCondition` expresses the
 * same rule.
 */
export const matchesFilters = (
  { groupId, contactId }: Filters,
  conversation: ParticipantFields,
  caller: Caller,
): boolean =>
  (groupId === undefined
    ? contactId === undefined || conversation.group_id === undefined
    : conversation.group_id === groupId) &&
  (contactId === undefined || getOtherContact(conversation, caller.id) === contactId);

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
