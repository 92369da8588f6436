import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { clock } from '../../../clock.ts';
import type { Contact } from '../../../contract/contact.ts';
import { ApiError, notFound } from '../../../errors.ts';
import { isConversationId } from '../../../ids.ts';
import { type Item, update } from '../../calls/access.ts';
import { exists } from '../../calls/expressions.ts';
import { withContactUpdate } from '../../contacts.ts';
import {
  ConversationItem,
  parseVisibleConversation,
} from '../../conversations/items/conversation-item.ts';
import { notDeletedCondition } from '../../conversations/items/conversation-tombstone.ts';
import { participantCondition } from '../../conversations/items/participants.ts';
import type { PutNewItem } from '../../idempotency.ts';
import { conversationKey, messageKey, toActivitySortKey } from '../../keys/keys.ts';
import { fillGap } from '../log/fill-gap.ts';
import { type MessageContent, type MessageItem, newMessage } from '../log/message-item.ts';

const maxReservations = 8;
const maxReservationAttempts = 3;

/**
 * Appends a message to a conversation's log, and gives it with its sender: first a ticket for a place, which is also the
 * check that the caller takes part, then the message at that place, by `put`, beside their contact. A reader who could not
 * wait may have marked the place as empty; then the message goes to a new one. Throws `not_found` for `conversation_id`.
 */
export async function appendMessage(
  conversationId: string,
  caller: Caller,
  content: MessageContent,
  put: PutNewItem,
): Promise<{ message: MessageItem; contact: Contact }> {
  for (let reservations = 0; reservations < maxReservations; reservations++) {
    const reservation = await reserveSequence(conversationId, caller);
    if (!reservation) throw notFound('conversation_id');
    const { sequence, sentAt, previousAt } = reservation;
    const message = newMessage(
      { conversationId, sequence, sentAt },
      caller.id,
      content,
      previousAt,
    );
    const item = { ...messageKey(conversationId, sequence), ...message };
    const { result: written, contact } = await withContactUpdate(caller, (shown) =>
      put({ id: message.id, item }, shown).catch(async (error) => {
        // Else it may have been put.
        if (!isUnavailable(error)) await releaseReservation(conversationId, sequence, previousAt);
        throw error;
      }),
    );
    // The place is this send's alone: a message found there is its own, put by a try whose reply was lost.
    if (written.done || isOwnMessage(written.found)) return { message, contact };
  }
  throw new ApiError('unavailable');
}

const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'unavailable';

const isOwnMessage = (found: Item = {}) => 'id' in found || 'deletion' in found;

/**
 * Gives up a place that this send will not fill, so that readers need not wait for it. Not for certain: where it fails, it
 * is as if the send had died.
 */
const releaseReservation = (conversationId: string, sequence: number, previousAt: number) =>
  fillGap(conversationId, sequence, previousAt).catch(() => undefined);

interface Reservation {
  sequence: number;
  sentAt: number;
  previousAt: number;
}

/**
 * Takes the next place of the log; undefined when there is no conversation that the caller takes part in. A message's time
 * is never before the one of the place below, nor before the conversation was created: where this environment's clock is
 * behind, the conversation's time stands for its own.
 */
async function reserveSequence(
  conversationId: string,
  caller: Caller,
): Promise<Reservation | undefined> {
  if (!isConversationId(conversationId)) return undefined;
  const now = clock.now();
  let time: number | undefined = now;
  for (let attempt = 0; attempt < maxReservationAttempts; attempt++) {
    const written = await incrementMessageCount(conversationId, caller, time);
    if (written.done) {
      const before = v.parse(ConversationItem, written.item);
      const previousAt = before.last_message_at ?? 0;
      return {
        sequence: before.message_count + 1,
        sentAt: time ?? previousAt,
        previousAt,
      };
    }
    const conversation = parseVisibleConversation(caller, written.found);
    if (!conversation) return undefined;
    const { last_message_at = 0, created_at } = conversation;
    time = last_message_at > now ? undefined : Math.max(now, created_at);
  }
  throw new ApiError('unavailable');
}

/** Adds one to the conversation's count if the caller takes part and, when a time is given, it is not behind. */
function incrementMessageCount(conversationId: string, caller: Caller, time: number | undefined) {
  const participant = participantCondition(caller);
  const conditions = [
    exists,
    notDeletedCondition,
    participant.expression,
    ...(time === undefined
      ? []
      : [
          'created_at <= :now',
          '(attribute_not_exists(last_message_at) OR last_message_at <= :now)',
        ]),
  ];
  return update({
    Key: conversationKey(conversationId),
    UpdateExpression:
      time === undefined
        ? 'ADD message_count :one'
        : 'SET last_message_at = :now, activity = :activity ADD message_count :one',
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeValues: {
      ...participant.values,
      ':one': 1,
      ...(time !== undefined && {
        ':now': time,
        ':activity': toActivitySortKey(time, conversationId),
      }),
    },
    ReturnValues: 'ALL_OLD',
  });
}
