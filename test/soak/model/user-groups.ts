import { isUserGroup } from '../../../shared/ids.ts';
import { isParticipant, type Participants } from '../../response-invariants/permissions.ts';
import type { Caller, Span } from '../exchange/exchange.ts';
import type { Model } from './model.ts';
import type { UserGroupModel } from './model-types.ts';
import { createRegister, getPossibleValues, type Register } from './register.ts';

export const createUserGroup = (id: string, owner: string, title: string): UserGroupModel => ({
  id,
  owner,
  title: createRegister(title),
  members: new Map(),
});

/** Returns a membership's register, and records that the contact may have been added. */
export function getOrAddMembership(
  { memberships }: Model,
  { id, members }: UserGroupModel,
  contactId: string,
  isMember = false,
): Register<boolean> {
  const register = members.get(contactId) ?? createRegister(isMember);
  members.set(contactId, register);
  memberships.set(contactId, new Set([...(memberships.get(contactId) ?? []), id]));
  return register;
}

/** Returns the possible values of a contact's membership during the span: true, false, or both. */
export function getPossibleMembership(
  { userGroups }: Model,
  groupId: string,
  contactId: string,
  span: Span,
): ReadonlySet<boolean> {
  const register = userGroups.get(groupId)?.members.get(contactId);
  return register ? getPossibleValues(register, span) : new Set([false]);
}

type Seen = Pick<Participants, 'created_by' | 'contact_id' | 'group_id'>;

/** Reports whether the caller may have had access to the conversation during the span. */
export const mayParticipate = (model: Model, conversation: Seen, who: Caller, span: Span) =>
  isParticipant(conversation, who) || getPossible(model, conversation, who, span).has(true);

/** Reports whether the caller had access to the conversation throughout the span. */
export const mustParticipate = (model: Model, conversation: Seen, who: Caller, span: Span) =>
  isParticipant(conversation, who) || !getPossible(model, conversation, who, span).has(false);

const getPossible = (model: Model, { group_id }: Seen, { id }: Caller, span: Span) =>
  group_id === null ? new Set([false]) : getPossibleMembership(model, group_id, id, span);

/** Reports whether the caller may have access now. */
export const participates = (model: Model, conversation: Seen, who: Caller): boolean =>
  mayParticipate(model, conversation, who, { startOrder: model.now, ended: model.now + 1 });

/** Returns the caller as if the caller had joined the conversation's user group. */
export const asPossibleMember = <Who extends { id: string; groups: readonly string[] }>(
  { group_id }: Seen,
  who: Who,
): Who =>
  group_id !== null && isUserGroup(group_id) ? { ...who, groups: [...who.groups, group_id] } : who;
