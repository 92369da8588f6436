import * as v from 'valibot';
import type { Caller } from '../../caller.ts';
import { clock } from '../../clock.ts';
import type { Contact } from '../../contract/contact.ts';
import { ApiError, notFound } from '../../errors.ts';
import { isConversationId } from '../../ids.ts';
import { type Item, update } from '../calls/access.ts';
import { exists } from '../calls/expressions.ts';
import { besideContact } from '../contacts.ts';
import { ConversationItem, visibleTo } from '../conversations/items.ts';
import { participantCondition } from '../conversations/participants.ts';
import { isNotDeleted } from '../conversations/tombstone.ts';
import type { PutNewThing } from '../idempotency.ts';
import { activity, conversationKey, messageKey } from '../keys/keys.ts';
import { type Content, type MessageItem, newMessage } from './items.ts';
import { markEmpty } from './mark-empty.ts';

const mostTickets = 8;
const mostTicketTries = 3;

/**
 * Appends a message to a conversation's log, and gives it with its sender: first a ticket for a place, which is also the
 * check that the caller takes part, then the message at that place, by `put`, beside their contact. A reader who could not
 * wait may have marked the place as empty; then the message goes to a new one. Throws `not_found` for `conversation_id`.
 */
export async function appendMessage(
  conversationId: string,
  caller: Caller,
  content: Content,
  put: PutNewThing,
): Promise<{ message: MessageItem; contact: Contact }> {
  for (let tickets = 0; tickets < mostTickets; tickets++) {
    const ticket = await takeTicket(conversationId, caller);
    if (!ticket) throw notFound('conversation_id');
    const { sequence, sentAt, previousAt } = ticket;
    const message = newMessage(
      { conversationId, sequence, sentAt },
      caller.id,
      content,
      previousAt,
    );
    const item = { ...messageKey(conversationId, sequence), ...message };
    const { result: written, contact } = await besideContact(caller, (shown) =>
      put({ id: message.id, item }, shown).catch(async (error) => {
        // Else it may have been put.
        if (!isUnavailable(error)) await leavePlace(conversationId, sequence, previousAt);
        throw error;
      }),
    );
    // The place is this send's alone: a message found there is its own, put by a try whose reply was lost.
    if (written.done || isOwn(written.found)) return { message, contact };
  }
  throw new ApiError('unavailable');
}

const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'unavailable';

const isOwn = (found: Item = {}) => 'id' in found || 'deletion' in found;

/**
 * Gives up a place that this send will not fill, so that readers need not wait for it. Not for certain: where it fails, it
 * is as if the send had died.
 */
const leavePlace = (conversationId: string, sequence: number, previousAt: number) =>
  markEmpty(conversationId, sequence, previousAt).catch(() => undefined);

interface Ticket {
  sequence: number;
  sentAt: number;
  previousAt: number;
}

/**
 * Takes the next place of the log; undefined when there is no conversation that the caller takes part in. A message's time
 * is never before the one of the place below, nor before the conversation was created: where this environment's clock is
 * behind, the conversation's time stands for its own.
 */
async function takeTicket(conversationId: string, caller: Caller): Promise<Ticket | undefined> {
  if (!isConversationId(conversationId)) return undefined;
  const now = clock.now();
  let time: number | undefined = now;
  for (let tries = 0; tries < mostTicketTries; tries++) {
    const written = await countUp(conversationId, caller, time);
    if (written.done) {
      const before = v.parse(ConversationItem, written.item);
      const previousAt = before.last_message_at ?? 0;
      return {
        sequence: before.message_count + 1,
        sentAt: time ?? previousAt,
        previousAt,
      };
    }
    const conversation = visibleTo(caller, written.found);
    if (!conversation) return undefined;
    const { last_message_at = 0, created_at } = conversation;
    time = last_message_at > now ? undefined : Math.max(now, created_at);
  }
  throw new ApiError('unavailable');
}

/** Adds one to the conversation's count if the caller takes part and, when a time is given, it is not behind. */
function countUp(conversationId: string, caller: Caller, time: number | undefined) {
  const participant = participantCondition(caller);
  const conditions = [
    exists,
    isNotDeleted,
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
        ':activity': activity(time, conversationId),
      }),
    },
    ReturnValues: 'ALL_OLD',
  });
}
