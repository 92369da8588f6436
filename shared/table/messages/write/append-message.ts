import * as v from 'valibot';
import { ApiError, notFound } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { clock } from '../../../clock.ts';
import type { Contact } from '../../../contract/resources/contact.ts';
import { isConversationId } from '../../../ids.ts';
import { getUploadIds, toTies, unusableAttachment } from '../../attachments/take-uploads.ts';
import { type Item, update } from '../../calls/access.ts';
import { existsCondition } from '../../calls/expressions.ts';
import { retryUntilDone } from '../../calls/retry-until-done.ts';
import { requireNotErased, touchContact } from '../../contacts.ts';
import { requireUnblocked, toUnblockedConditions } from '../../conversations/items/blocked.ts';
import {
  ConversationItem,
  parseVisibleConversation,
} from '../../conversations/items/conversation-item.ts';
import { notDeletedCondition } from '../../conversations/items/conversation-tombstone.ts';
import { participantCondition } from '../../conversations/items/participants.ts';
import type { PutNewItem } from '../../idempotency.ts';
import { conversationKey, messageKey, toActivitySortKey } from '../../keys/keys.ts';
import { sharedChangeAttribute } from '../../keys/names.ts';
import { storeContent } from '../log/content-item.ts';
import { type MessageContent, type MessageWithContent, newMessage } from '../log/message-item.ts';
import { fillGap } from '../log/resolve-gaps.ts';

const maxReservations = 8;
const maxReservationAttempts = 3;

/**
 * Appends a message and returns it with its sender. Reserves a sequence number, which also checks
 * access, updates the caller's contact, then puts the message; again if a reader has filled the gap
 * meanwhile. Uploads are tied to it in the same transaction. Throws `not_found`, `blocked`,
 * `blocking`, `parameter_invalid` for a used upload, and `not_allowed` for an erased contact.
 */
export async function appendMessage(
  conversationId: string,
  caller: Caller,
  content: MessageContent,
  put: PutNewItem,
): Promise<{ message: MessageWithContent; contact: Contact }> {
  requireNotErased(caller);
  return retryUntilDone(async () => {
    const reservation = await reserveSequence(conversationId, caller);
    if (!reservation) throw notFound('conversation_id');
    const { sequence, sentAt, previousAt } = reservation;
    const position = { conversationId, sequence, sentAt };
    const message = newMessage(position, caller.id, content, previousAt);
    const { message: _text, attachments: _attachments, ...fields } = message;
    const store = async () => {
      const [contact, stored] = await Promise.all([
        touchContact(caller),
        storeContent(message, message),
      ]);
      const item = { ...messageKey(conversationId, sequence), ...fields, ...stored };
      const uploads = getUploadIds(content.attachments);
      const tie = uploads.length > 0 && {
        writes: toTies(uploads, message.id, caller),
        found: { attachments: content.attachments },
      };
      const written = await put({ id: message.id, item, ...tie }, contact);
      if (!written.done && written.isRefused) throw unusableAttachment();
      return { contact, written };
    };
    const { contact, written } = await store().catch(async (error) => {
      // Otherwise the message may have been stored.
      if (!isUnavailable(error)) await releaseReservation(conversationId, sequence, previousAt);
      throw error;
    });
    // Only this send uses the sequence number, so a message found there was put by an attempt whose
    // reply was lost.
    return written.done || isOwnMessage(written.found) ? { message, contact } : undefined;
  }, maxReservations);
}

const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'unavailable';

const isOwnMessage = (found: Item = {}) => 'id' in found || 'deletion' in found;

/** Releases a reservation so that readers do not wait. If this fails, they treat it as crashed. */
const releaseReservation = (conversationId: string, sequence: number, previousAt: number) =>
  fillGap(conversationId, sequence, previousAt).catch(() => undefined);

interface Reservation {
  sequence: number;
  sentAt: number;
  previousAt: number;
}

/** Reserves the next sequence number, if the caller participates. Times never decrease. */
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
      return { sequence: before.message_count + 1, sentAt: time ?? previousAt, previousAt };
    }
    const conversation = parseVisibleConversation(caller, written.found);
    if (!conversation) return undefined;
    requireUnblocked(conversation, caller);
    const { last_message_at = 0, created_at } = conversation;
    time = last_message_at > now ? undefined : Math.max(now, created_at);
  }
  throw new ApiError('unavailable');
}

/** Increments the count if the caller participates and `time`, if given, is not earlier. */
function incrementMessageCount(conversationId: string, caller: Caller, time: number | undefined) {
  const participant = participantCondition(caller);
  const conditions = [
    existsCondition,
    notDeletedCondition,
    participant.expression,
    ...toUnblockedConditions(caller),
    ...(time === undefined
      ? []
      : [
          'created_at <= :now',
          '(attribute_not_exists(last_message_at) OR last_message_at <= :now)',
        ]),
  ];
  return update({
    Key: conversationKey(conversationId),
    UpdateExpression: [
      ...(time === undefined ? [] : ['SET last_message_at = :now, activity = :activity']),
      `REMOVE ${sharedChangeAttribute} ADD message_count :one`,
    ].join(' '),
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
