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

type ParticipantFields = Pick<Participants, 'created_by' | 'contact_id' | 'group_id'>;

export const mayParticipate = (
  model: Model,
  conversation: ParticipantFields,
  caller: Caller,
  span: Span,
) =>
  isParticipant(conversation, caller) || getPossible(model, conversation, caller, span).has(true);

export const mustParticipate = (
  model: Model,
  conversation: ParticipantFields,
  caller: Caller,
  span: Span,
) =>
  isParticipant(conversation, caller) || !getPossible(model, conversation, caller, span).has(false);

const getPossible = (model: Model, { group_id }: ParticipantFields, { id }: Caller, span: Span) =>
  group_id === null ? new Set([false]) : getPossibleMembership(model, group_id, id, span);

export const participates = (
  model: Model,
  conversation: ParticipantFields,
  caller: Caller,
): boolean =>
  mayParticipate(model, conversation, caller, { startOrder: model.now, ended: model.now + 1 });

/** Returns the caller as a member of the conversation's user group, if it has one. */
export const asPossibleMember = <Person extends { id: string; groups: readonly string[] }>(
  { group_id }: ParticipantFields,
  caller: Person,
): Person =>
  group_id !== null && isUserGroup(group_id)
    ? { ...caller, groups: [...caller.groups, group_id] }
    : caller;
