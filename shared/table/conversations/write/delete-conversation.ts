import { randomUUID } from 'node:crypto';
import { ApiError, notFound } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { clock } from '../../../clock.ts';
import { requireIfMatch } from '../../../etag.ts';
import { isConversationId, isUserGroup } from '../../../ids.ts';
import { update } from '../../calls/access.ts';
import { type Condition, existsCondition, toAssignment } from '../../calls/expressions.ts';
import { retryUntilDone } from '../../calls/retry-until-done.ts';
import { runSteps } from '../../calls/run-steps.ts';
import { getMembership } from '../../groups/membership.ts';
import { indexes, sharedChangeAttribute } from '../../keys/names.ts';
import { requireUnblocked, toUnblockedConditions } from '../items/blocked.ts';
import { ConversationItem, toConversationResult } from '../items/conversation-item.ts';
import {
  type ConversationTombstone,
  notDeletedCondition,
  toTombstoneItem,
} from '../items/conversation-tombstone.ts';
import { type Access, findAccess, getConversation } from '../items/find-access.ts';
import { canDelete, canDeleteExpression, participantCondition } from '../items/participants.ts';
import { toConversationCondition, toSettingsCheck } from './unchanged-conditions.ts';

/**
 * Replaces a conversation with a tombstone. The purge worker removes the messages later. Throws
 * `not_found`, `blocked`, `blocking`, `not_allowed` or `precondition_failed`.
 */
export const deleteConversation = (
  id: string,
  caller: Caller,
  ifMatch: string | undefined,
): Promise<void> =>
  ifMatch === undefined ? deleteUnconditionally(id, caller) : deleteIfMatch(id, caller, ifMatch);

/** Deletes a conversation of a deleted group, unless the conversation is already deleted. */
export async function deleteWithGroup(id: string): Promise<void> {
  const ConditionExpression = `${existsCondition} AND ${notDeletedCondition}`;
  await update(toTombstoneUpdate(id, newTombstone(), { ConditionExpression }));
}

/**
 * Deletes a conversation with one update that also checks the caller's rights. An update cannot
 * check a membership. If the rights depend on a membership, the update fails. The function then
 * reads the membership and repeats the update.
 */
async function deleteUnconditionally(id: string, caller: Caller): Promise<void> {
  if (!isConversationId(id)) throw notFound('conversation_id');
  const tombstone = newTombstone();
  const attempt = async (condition: Condition) => {
    const written = await update(toTombstoneUpdate(id, tombstone, condition));
    // An earlier attempt whose reply was lost may have deleted the conversation.
    const isDeleted = written.done || written.found?.deletion === tombstone.deletion;
    return { isDeleted, found: written.done ? undefined : written.found };
  };
  const { isDeleted, found } = await attempt(toDeletableCondition(caller));
  if (isDeleted) return;
  const access = await findAccess(caller, found);
  if (!access) throw notFound('conversation_id');
  requireUnblocked(access.conversation, caller);
  await requireCanDelete(access, caller);
  // Fails if a concurrent request has deleted the conversation or blocked one of its contacts.
  if (!(await attempt(toExistingCondition(caller))).isDeleted) throw notFound('conversation_id');
}

async function deleteIfMatch(id: string, caller: Caller, ifMatch: string): Promise<void> {
  await retryUntilDone(async () => {
    const view = await getConversation(id, caller);
    if (!view) throw notFound('conversation_id');
    requireUnblocked(view.conversation, caller);
    await requireCanDelete(view, caller);
    requireIfMatch(ifMatch, toConversationResult(caller, view));
    const unchanged = toConversationCondition(view.conversation, true);
    const done = await runSteps([
      { write: { update: toTombstoneUpdate(id, newTombstone(), unchanged) } },
      toSettingsCheck(view, caller.id),
    ]);
    return done || undefined;
  });
}

async function requireCanDelete(access: Access, caller: Caller): Promise<void> {
  const { conversation } = access;
  if (canDelete(conversation, caller)) return;
  const { group_id: group } = conversation;
  const isInUserGroup = group !== undefined && isUserGroup(group);
  // If the caller is the named contact, `findAccess` does not read the membership.
  const membership =
    access.membership ?? (isInUserGroup && (await getMembership(caller.id, group)));
  if (membership && membership.role !== 'member') return;
  throw new ApiError('not_allowed', {
    message: isInUserGroup
      ? "Only the conversation's creator and its group's owners and admins can delete it."
      : 'Only the creator can delete a group conversation.',
  });
}

const newTombstone = (): ConversationTombstone => ({
  deleted_at: clock.now(),
  deletion: randomUUID(),
});

/** Attributes of the conversation that the tombstone does not retain. */
const contentAttributes = [...Object.keys(ConversationItem.entries), sharedChangeAttribute];

const indexKeyAttributes = [indexes.gsi2.partition, indexes.gsi3.partition, indexes.gsi3.sort];

const toTombstoneUpdate = (id: string, tombstone: ConversationTombstone, condition: Condition) => {
  const { pk, sk, ...attributes } = toTombstoneItem(id, tombstone);
  const removed = [...contentAttributes, ...indexKeyAttributes].map(
    (name) => [name, undefined] as const,
  );
  return {
    Key: { pk, sk },
    ...toAssignment({ ...Object.fromEntries(removed), ...attributes }, condition),
  };
};

function toDeletableCondition(caller: Caller): Condition {
  const participant = participantCondition(caller);
  const { ConditionExpression } = toExistingCondition(caller);
  return {
    ConditionExpression: [ConditionExpression, participant.expression, canDeleteExpression].join(
      ' AND ',
    ),
    ExpressionAttributeValues: participant.values,
  };
}

const toExistingCondition = (caller: Caller): Condition => ({
  ConditionExpression: [
    existsCondition,
    notDeletedCondition,
    ...toUnblockedConditions(caller),
  ].join(' AND '),
});
