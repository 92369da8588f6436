import type { Caller } from '../../../caller.ts';

export interface ParticipantFields {
  created_by: string;
  contact_id?: string | undefined;
  group_id?: string | undefined;
}

export type ContactWithGroups = Pick<Caller, 'id' | 'groups'>;

/**
 * Reports whether a contact participates. A direct conversation belongs to its creator and the
 * named contact; a group conversation to the group's current members and the named contact.
 */
export const isParticipant = (
  { created_by, contact_id, group_id }: ParticipantFields,
  party: ContactWithGroups,
): boolean =>
  party.id === contact_id ||
  (group_id === undefined ? party.id === created_by : party.groups.includes(group_id));

/** Returns the condition that the caller participates in a conversation. */
export function participantCondition(caller: Caller): {
  expression: string;
  values: Record<string, string>;
} {
  const { conditions, values } = toGroupConditions(caller);
  const alternatives = [
    'contact_id = :caller',
    '(attribute_not_exists(group_id) AND created_by = :caller)',
    ...conditions,
  ];
  return {
    expression: `(${alternatives.join(' OR ')})`,
    values: { ':caller': caller.id, ...values },
  };
}

/** Maximum number of values that DynamoDB accepts in `IN`. */
const maxInValues = 100;

/**
 * Returns conditions to join with OR, which test whether the conversation is in one of the groups;
 * none without groups. Value names are short, because an expression has at most 4 KB: 400 names
 * take 2.4 KB.
 */
export function toGroupConditions({ groups }: Pick<Caller, 'groups'>) {
  const values = Object.fromEntries(groups.map((group, n) => [`:g${n}`, group]));
  const names = Object.keys(values);
  const conditions = Array.from(
    { length: Math.ceil(names.length / maxInValues) },
    (_, n) => `group_id IN (${names.slice(n * maxInValues, (n + 1) * maxInValues).join(',')})`,
  );
  return { conditions, values };
}

/**
 * Returns the creator if the caller is the named contact, else the named contact; `null` if the
 * conversation names no contact.
 */
export const getOtherContact = ({ created_by, contact_id }: ParticipantFields, callerId: string) =>
  contact_id === callerId ? created_by : (contact_id ?? null);

/**
 * Returns the other contact of a direct conversation; `undefined` for a group conversation and for
 * a conversation with oneself.
 */
export function getDirectPartner(participants: ParticipantFields, id: string): string | undefined {
  const other = getOtherContact(participants, id);
  return participants.group_id === undefined && other !== id ? (other ?? undefined) : undefined;
}

/**
 * Reports whether a participant may delete a conversation: as the creator or, if the conversation
 * is direct, as the named contact.
 */
export const canDelete = (
  { created_by, contact_id, group_id }: ParticipantFields,
  caller: Caller,
): boolean => caller.id === created_by || (group_id === undefined && caller.id === contact_id);

/** The rule of `canDelete` as a condition. Uses the values of `participantCondition`. */
export const canDeleteExpression =
  '(created_by = :caller OR (attribute_not_exists(group_id) AND contact_id = :caller))';
