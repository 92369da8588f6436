import { parseBusinessGroup } from '../../../contract/business/business-group.ts';
import type { Item } from '../../calls/access.ts';
import { assignmentKey, type Key, toAssignedKeys } from '../../keys/keys.ts';
import type { ContactWithGroups, ParticipantFields } from './participants.ts';

/** Reports whether the contact is on the staff of the conversation's business. */
export const isStaff = (
  { group_id }: Pick<ParticipantFields, 'group_id'>,
  { groups }: ContactWithGroups,
): boolean =>
  group_id !== undefined && parseBusinessGroup(group_id) !== undefined && groups.includes(group_id);

/**
 * Returns the assignment item of a new conversation with a business. Returns no item for other
 * conversations.
 */
export function toNewAssignment({
  id,
  group_id,
}: Pick<ParticipantFields, 'group_id'> & { id: string }): (Item & Key)[] {
  if (group_id === undefined || parseBusinessGroup(group_id) === undefined) return [];
  return [{ ...assignmentKey(id), ...toAssignedKeys(id, group_id) }];
}
