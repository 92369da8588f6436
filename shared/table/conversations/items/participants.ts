import type { Caller } from '../../../caller.ts';

/** What of a conversation decides who takes part in it. */
export interface ParticipantFields {
  created_by: string;
  contact_id?: string | undefined;
  group_id?: string | undefined;
}

/** Somebody, with the groups that they are in. */
export type ContactWithGroups = Pick<Caller, 'id' | 'groups'>;

/**
 * A direct conversation is its creator's and the named contact's; a group conversation is the group's present members',
 * and the named contact's. `participantCondition` says the same to the table.
 */
export const isParticipant = (
  { created_by, contact_id, group_id }: ParticipantFields,
  party: ContactWithGroups,
): boolean =>
  party.id === contact_id ||
  (group_id === undefined ? party.id === created_by : party.groups.includes(group_id));

/** The same as a condition on the conversation's item. An IN takes a hundred values, and a caller has no more groups. */
export function participantCondition(caller: Caller): {
  expression: string;
  values: Record<string, string>;
} {
  const groups = caller.groups.map((group, n) => [`:group${n}`, group] as const);
  const alternatives = [
    'contact_id = :caller',
    '(attribute_not_exists(group_id) AND created_by = :caller)',
    ...(groups.length > 0 ? [`group_id IN (${groups.map(([name]) => name).join(', ')})`] : []),
  ];
  return {
    expression: `(${alternatives.join(' OR ')})`,
    values: { ':caller': caller.id, ...Object.fromEntries(groups) },
  };
}

/** The other contact as the caller sees it: for the named contact, who made the conversation. */
export const getOtherContact = ({ created_by, contact_id }: ParticipantFields, callerId: string) =>
  contact_id === callerId ? created_by : (contact_id ?? null);

/** Of its participants, who may delete a conversation: who made it, and in a direct one the named contact. */
export const canDelete = (
  { created_by, contact_id, group_id }: ParticipantFields,
  caller: Caller,
): boolean => caller.id === created_by || (group_id === undefined && caller.id === contact_id);

/** The same as a condition on the conversation's item, with the value of `participantCondition`. */
export const canDeleteExpression =
  '(created_by = :caller OR (attribute_not_exists(group_id) AND contact_id = :caller))';
