import * as v from 'valibot';
import { Contact } from '../../../shared/contract/resources/contact.ts';
import { CreateConversation } from '../../../shared/contract/resources/conversation.ts';
import { isParticipant, type Participants } from '../../response-invariants/permissions.ts';
import { checkStatus } from '../checks/check-status.ts';
import { isPossibleContact } from '../checks/possible-contact.ts';
import { type Exchange, hasUnknownOutcome, isSuccess, type Request } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';
import { getPossibleValues } from '../model/register.ts';
import { getPossibleMembership, mayParticipate } from '../model/user-groups.ts';
import { type OperationCheck, parseBody } from './operation-check.ts';

export const checkRetrieveContact: OperationCheck = (model, { sent }) => {
  const id = sent.path?.contact_id ?? '';
  return (exchange) => {
    checkStatus(model, exchange, 200, 404);
    if (hasUnknownOutcome(exchange)) return;
    const { caller, reply } = exchange;
    const fail = (expected: string) => model.report({ expected, exchange });
    if (reply.status === 404) {
      if (id === caller.id) fail('200, as the contact is the caller');
      if (mustShareConversation(model, exchange, id))
        fail('200, as caller and contact share a conversation');
    }
    if (!isSuccess(exchange)) return;
    const isPossible =
      id === caller.id ||
      mayShareConversation(model, exchange, id) ||
      mayShareUserGroup(model, exchange, id);
    if (!isPossible)
      fail('404, as caller and contact share neither a conversation nor a user group');
    const shown = parseBody(Contact, exchange);
    if (!isPossibleContact(model, exchange, id, shown)) fail(`the contact ${id}`);
  };
};

/**
 * Reports whether a conversation that existed throughout the request makes the contact visible.
 * Ignores the contact's groups, which may have changed.
 */
const mustShareConversation = ({ conversations }: Model, exchange: Exchange, id: string): boolean =>
  [...conversations.values()].some(
    (one) =>
      one.knownSince < exchange.startOrder &&
      !getPossibleValues(one.deleted, exchange).has(true) &&
      isParticipant(one, exchange.caller) &&
      isParticipant(one, { id, groups: [] }),
  );

/**
 * Reports whether the caller and the contact may have shared a conversation. Assumes that the
 * contact has never left a group.
 */
function mayShareConversation(model: Model, exchange: Exchange, id: string): boolean {
  const { conversations, creations, memberships } = model;
  const allGroups = [...(memberships.get(id) ?? [])];
  const existing = [...conversations.values()].filter(({ deleted }) =>
    getPossibleValues(deleted, exchange).has(false),
  );
  return [...existing, ...[...creations.values()].map(toParticipants)].some(
    (one: Participants) =>
      mayParticipate(model, one, exchange.caller, exchange) &&
      isParticipant(one, { id, groups: allGroups }),
  );
}

/**
 * Reports whether the caller and the contact may have been members of the same user group,
 * including a group whose creation is unconfirmed.
 */
function mayShareUserGroup(model: Model, exchange: Exchange, id: string): boolean {
  const isPossibleMember = (groupId: string, contactId: string) =>
    getPossibleMembership(model, groupId, contactId, exchange).has(true);
  const { userGroups, groupCreations } = model;
  const { caller } = exchange;
  return (
    [...userGroups.keys()].some(
      (groupId) => isPossibleMember(groupId, caller.id) && isPossibleMember(groupId, id),
    ) ||
    [...groupCreations.values()].some(
      (members) => members.includes(caller.id) && members.includes(id),
    )
  );
}

function toParticipants({ caller, sent }: Request): Participants {
  const { contact_id, group_id } = v.parse(CreateConversation, sent.body);
  return { created_by: caller.id, contact_id: contact_id ?? null, group_id: group_id ?? null };
}
