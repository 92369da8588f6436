import { randomUUID } from 'node:crypto';
import { ApiError, notFound } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { clock } from '../../../clock.ts';
import { requireIfMatch } from '../../../etag.ts';
import { isConversationId } from '../../../ids.ts';
import { update } from '../../calls/access.ts';
import { type Condition, existsCondition, toAssignment } from '../../calls/expressions.ts';
import { retryUntilDone } from '../../calls/retry-until-done.ts';
import { runSteps } from '../../calls/run-steps.ts';
import { indexes, sharedChangeAttribute } from '../../keys/names.ts';
import { requireUnblocked, toUnblockedConditions } from '../items/blocked.ts';
import {
  ConversationItem,
  getConversation,
  parseVisibleConversation,
  toAnswer,
} from '../items/conversation-item.ts';
import {
  type ConversationTombstone,
  notDeletedCondition,
  toTombstoneItem,
} from '../items/conversation-tombstone.ts';
import { canDelete, canDeleteExpression, participantCondition } from '../items/participants.ts';
import { toConversationCondition, toSettingsCheck } from './unchanged-conditions.ts';

/**
 * Replaces a conversation with a tombstone, so that every read fails at once and it leaves the
 * inboxes. The purge worker removes its messages later. Throws `not_found`, `blocked`, `blocking`,
 * `not_allowed`, `precondition_failed`.
 */
export const deleteConversation = (
  id: string,
  caller: Caller,
  ifMatch: string | undefined,
): Promise<void> =>
  ifMatch === undefined ? deleteUnconditionally(id, caller) : deleteIfMatch(id, caller, ifMatch);

/** The update also checks the rights: if it fails, the item it returns shows why. */
async function deleteUnconditionally(id: string, caller: Caller): Promise<void> {
  if (!isConversationId(id)) throw notFound('conversation_id');
  const tombstone = newTombstone();
  const written = await update(toTombstoneUpdate(id, tombstone, toDeletableCondition(caller)));
  // An attempt whose reply was lost has deleted it.
  if (written.done || written.found?.deletion === tombstone.deletion) return;
  const conversation = parseVisibleConversation(caller, written.found);
  if (!conversation) throw notFound('conversation_id');
  requireUnblocked(conversation, caller);
  requireCanDelete(conversation, caller);
  throw new Error('The table refused to delete a conversation that the caller may delete.');
}

async function deleteIfMatch(id: string, caller: Caller, ifMatch: string): Promise<void> {
  await retryUntilDone(async () => {
    const view = await getConversation(id, caller);
    if (!view) throw notFound('conversation_id');
    requireUnblocked(view.conversation, caller);
    requireCanDelete(view.conversation, caller);
    requireIfMatch(ifMatch, toAnswer(caller, view));
    const unchanged = toConversationCondition(view.conversation, true);
    const done = await runSteps([
      { write: { update: toTombstoneUpdate(id, newTombstone(), unchanged) } },
      toSettingsCheck(view, caller.id),
    ]);
    return done || undefined;
  });
}

function requireCanDelete(conversation: ConversationItem, caller: Caller): void {
  if (canDelete(conversation, caller)) return;
  throw new ApiError('not_allowed', {
    message: 'Only the creator can delete a group conversation.',
  });
}

const newTombstone = (): ConversationTombstone => ({
  deleted_at: clock.now(),
  deletion: randomUUID(),
});

/** The tombstone retains no attribute of the conversation. */
const contentAttributes = [...Object.keys(ConversationItem.entries), sharedChangeAttribute];

const indexKeyAttributes = [indexes.gsi2.partition, indexes.gsi3.partition, indexes.gsi3.sort];

/** Removes the conversation from its inboxes and its pair, and adds it to the purge index. */
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
  return {
    ConditionExpression: [
      existsCondition,
      notDeletedCondition,
      participant.expression,
      ...toUnblockedConditions(caller),
      canDeleteExpression,
    ].join(' AND '),
    ExpressionAttributeValues: participant.values,
  };
}
