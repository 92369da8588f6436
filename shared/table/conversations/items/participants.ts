import type { Caller } from '../../../caller.ts';

export interface ParticipantFields {
  created_by: string;
  contact_id?: string | undefined;
  group_id?: string | undefined;
}

export type ContactWithGroups = Pick<Caller, 'id' | 'groups'>;

/**
 * Reports whether a contact is a participant of a conversation. The participants are the named
 * contact, the creator of a direct conversation, and the members of a conversation's group.
 */
export const isParticipant = (
  { created_by, contact_id, group_id }: ParticipantFields,
  contact: ContactWithGroups,
): boolean =>
  contact.id === contact_id ||
  (group_id === undefined ? contact.id === created_by : contact.groups.includes(group_id));

/** Returns `isParticipant` as a condition. */
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
 * Returns conditions, to be joined with OR, that test whether the conversation is in one of the
 * groups. If there are no groups, returns no conditions. Value names are short, so that 400 of them
 * take only 2.4 KB of the 4 KB that an expression may have.
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

/** Returns the creator if the caller is the named contact; otherwise the named contact, if any. */
export const getOtherContact = ({ created_by, contact_id }: ParticipantFields, callerId: string) =>
  contact_id === callerId ? created_by : (contact_id ?? null);

/**
 * Returns the other contact of a direct conversation; `undefined` for a group conversation or a
 * conversation with oneself.
 */
export function getDirectPartner(participants: ParticipantFields, id: string): string | undefined {
  const other = getOtherContact(participants, id);
  return participants.group_id === undefined && other !== id ? (other ?? undefined) : undefined;
}

/**
 * Reports whether a participant may delete a conversation as its creator or, if it is direct, as
 * the named contact.
 */
export const canDelete = (
  { created_by, contact_id, group_id }: ParticipantFields,
  caller: Caller,
): boolean => caller.id === created_by || (group_id === undefined && caller.id === contact_id);

/** Condition equivalent to `canDelete`. `participantCondition` returns the expression's values. */
export const canDeleteExpression =
  '(created_by = :caller OR (attribute_not_exists(group_id) AND contact_id = :caller))';
