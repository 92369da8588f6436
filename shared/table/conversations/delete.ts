import { randomUUID } from 'node:crypto';
import type { Caller } from '../../caller.ts';
import { clock } from '../../clock.ts';
import { ApiError, notFound } from '../../errors.ts';
import { requireMatch } from '../../etag.ts';
import { isConversationId } from '../../ids.ts';
import { update } from '../calls/access.ts';
import { assigning, type Condition, exists } from '../calls/expressions.ts';
import { takeAll } from '../calls/steps.ts';
import { indexes } from '../keys/names.ts';
import { answerFor, ConversationItem, getConversation, visibleTo } from './items.ts';
import { deleterExpression, mayDelete, participantCondition } from './participants.ts';
import { isNotDeleted, type Tombstone, tombstoneItem } from './tombstone.ts';
import { conversationUnchanged, settingsCheck } from './unchanged.ts';

const mostTries = 10;

/**
 * Hides a conversation and all its messages from everybody, in one instant: every reading of it meets the tombstone,
 * and it leaves the inboxes. Its messages are removed in the background (see purge.ts). Throws `not_found`
 * for `conversation_id`, `not_allowed`, `precondition_failed`.
 */
export const deleteConversation = (
  id: string,
  caller: Caller,
  ifMatch: string | undefined,
): Promise<void> =>
  ifMatch === undefined ? deleteAtOnce(id, caller) : deleteAsSeen(id, caller, ifMatch);

/** The update is the check as well: what it finds when it is refused tells why. */
async function deleteAtOnce(id: string, caller: Caller): Promise<void> {
  if (!isConversationId(id)) throw notFound('conversation_id');
  const tombstone = newTombstone();
  const written = await update(toTombstone(id, tombstone, ifDeletable(caller)));
  // A try whose reply was lost has done it.
  if (written.done || written.found?.deletion === tombstone.deletion) return;
  const conversation = visibleTo(caller, written.found);
  if (!conversation) throw notFound('conversation_id');
  requireRight(conversation, caller);
  throw new Error('The table refuses to delete a conversation that the caller may delete.');
}

async function deleteAsSeen(id: string, caller: Caller, ifMatch: string): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    const view = await getConversation(id, caller);
    if (!view) throw notFound('conversation_id');
    requireRight(view.conversation, caller);
    requireMatch(ifMatch, answerFor(caller.id, view));
    const unchanged = conversationUnchanged(view.conversation, true);
    const done = await takeAll([
      { write: { update: toTombstone(id, newTombstone(), unchanged) } },
      settingsCheck(view, caller.id),
    ]);
    if (done) return;
  }
  throw new ApiError('unavailable');
}

function requireRight(conversation: ConversationItem, caller: Caller): void {
  if (mayDelete(conversation, caller)) return;
  throw new ApiError('not_allowed', {
    message: 'Only its creator can delete a conversation of a group.',
  });
}

const newTombstone = (): Tombstone => ({ deleted_at: clock.now(), deletion: randomUUID() });

/** Nothing of what the conversation consists of stays. */
const contents = Object.keys(ConversationItem.entries);

const keysOfIndexes = [indexes.gsi2.partition, indexes.gsi3.partition, indexes.gsi3.sort];

/** It leaves its inboxes and its pair, and enters the index of what is to be purged. */
const toTombstone = (id: string, tombstone: Tombstone, condition: Condition) => {
  const { pk, sk, ...left } = tombstoneItem(id, tombstone);
  const gone = [...contents, ...keysOfIndexes].map((name) => [name, undefined] as const);
  return { Key: { pk, sk }, ...assigning({ ...Object.fromEntries(gone), ...left }, condition) };
};

function ifDeletable(caller: Caller): Condition {
  const participant = participantCondition(caller);
  return {
    ConditionExpression: [exists, isNotDeleted, participant.expression, deleterExpression].join(
      ' AND ',
    ),
    ExpressionAttributeValues: participant.values,
  };
}
