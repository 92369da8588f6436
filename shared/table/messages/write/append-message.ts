import * as v from 'valibot';
import { ApiError, notFound } from '../../../api-error.ts';
import { createBoundedCache } from '../../../bounded-cache.ts';
import type { Caller } from '../../../caller.ts';
import { clock } from '../../../clock.ts';
import type { Contact } from '../../../contract/resources/contact.ts';
import { isConversationId } from '../../../ids.ts';
import { toUploadAssignments, UploadsChangedError } from '../../attachments/take-uploads.ts';
import { type Item, update } from '../../calls/access.ts';
import { existsCondition } from '../../calls/expressions.ts';
import { retryUntilDone } from '../../calls/retry-until-done.ts';
import { requireNotErased, touchContact } from '../../contacts.ts';
import { requireUnblocked, toUnblockedConditions } from '../../conversations/items/blocked.ts';
import { ConversationItem } from '../../conversations/items/conversation-item.ts';
import { notDeletedCondition } from '../../conversations/items/conversation-tombstone.ts';
import { findAccess } from '../../conversations/items/find-access.ts';
import { participantCondition } from '../../conversations/items/participants.ts';
import { announceActivity } from '../../group-heads.ts';
import { withMembership } from '../../groups/membership.ts';
import type { Commit } from '../../idempotency.ts';
import { conversationKey, messageKey, toActivitySortKey } from '../../keys/keys.ts';
import { sharedChangeAttribute } from '../../keys/names.ts';
import { storeContent } from '../log/content-item.ts';
import { type MessageContent, type MessageWithContent, newMessage } from '../log/message-item.ts';
import { fillGap } from '../log/resolve-gaps.ts';

const maxReservations = 8;
const maxReservationAttempts = 4;

/**
 * Appends a message and returns it with its sender. Reserves a sequence number, and checks access
 * in the same write. Then atomically stores the message and assigns its uploads. If a reader has
 * filled the reserved number with a tombstone, reserves another one. Throws `not_found`, `blocked`,
 * `blocking`, `UploadsChangedError`, or `not_allowed` for an erased contact.
 */
export async function appendMessage(
  conversationId: string,
  caller: Caller,
  content: MessageContent,
  commit: Commit,
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
      const uploadAssignments = toUploadAssignments(content.attachments, message.id, caller);
      const found = uploadAssignments.length > 0 ? { attachments: message.attachments } : undefined;
      const creation = { id: message.id, writes: [{ put: item }, ...uploadAssignments], found };
      const { done, outcomes } = await commit(creation, contact);
      if (outcomes.slice(1).some(({ isSatisfied }) => !isSatisfied))
        throw new UploadsChangedError();
      return { contact, isStored: done || isOwnMessage(outcomes[0]?.found) };
    };
    const { contact, isStored } = await store().catch(async (error) => {
      // After the error `unavailable`, the message may be stored, so the reservation remains.
      if (!isUnavailable(error)) await releaseReservation(conversationId, sequence, previousAt);
      throw error;
    });
    // Only this send uses the sequence number. If a message already has the number, an earlier
    // attempt stored the message, and its reply was lost.
    return isStored ? { message, contact } : undefined;
  }, maxReservations);
}

const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'unavailable';

const isOwnMessage = (found: Item = {}) => 'id' in found || 'deletion' in found;

/** Releases a reservation so that readers do not wait. On failure, the send counts as crashed. */
const releaseReservation = (conversationId: string, sequence: number, previousAt: number) =>
  fillGap(conversationId, sequence, previousAt).catch(() => undefined);

interface Reservation {
  sequence: number;
  sentAt: number;
  previousAt: number;
}

interface AnnouncedActivity {
  group: string;
  /** Timestamp in milliseconds when the announced activity ends. */
  until: number;
}

/**
 * Groups and their announced activity, by conversation. If the value is cached, a send reads the
 * sender's membership in a user group before the first write, and announces activity only after
 * `until`.
 */
const announcedActivity = createBoundedCache<AnnouncedActivity>(10_000);

/**
 * Reserves the next sequence number. Returns `undefined` if the caller is not a participant.
 * Message times never decrease. Announces a group's activity before storing it: see group-heads.ts.
 * Throws `blocked`, `blocking` or `unavailable`.
 */
async function reserveSequence(
  conversationId: string,
  caller: Caller,
): Promise<Reservation | undefined> {
  if (!isConversationId(conversationId)) return undefined;
  const now = clock.now();
  const known = announcedActivity.get(conversationId);
  let sender = await withMembership(caller, known?.group);
  let announced =
    known && known.until < now && sender.groups.includes(known.group)
      ? await announceActivity(known.group, now)
      : undefined;
  let time: number | undefined = now;
  for (let attempt = 0; attempt < maxReservationAttempts; attempt++) {
    const written = await incrementMessageCount(conversationId, sender, { time, announced });
    if (written.done) {
      const {
        message_count,
        last_message_at: previousAt = 0,
        ...before
      } = v.parse(ConversationItem, written.item);
      const [group, until] = [before.group_id, announced ?? before.active_until];
      if (group && until) announcedActivity.set(conversationId, { group, until });
      return { sequence: message_count + 1, sentAt: time ?? previousAt, previousAt };
    }
    const access = await findAccess(sender, written.found);
    if (!access) return undefined;
    const { conversation } = access;
    sender = access.participant;
    requireUnblocked(conversation, caller);
    const { group_id, last_message_at = 0, created_at, active_until = 0 } = conversation;
    time = last_message_at > now ? undefined : Math.max(now, created_at);
    if (group_id && time !== undefined && (announced ?? active_until) < time)
      announced = await announceActivity(group_id, time);
  }
  throw new ApiError('unavailable');
}

interface Activity {
  /** Time of the message (milliseconds). `undefined` retains the time of the last message. */
  time: number | undefined;
  /** End of the group activity that this request has announced, if any (milliseconds). */
  announced: number | undefined;
}

/**
 * Increments the message count and stores the activity. Requires that the caller can send messages.
 * If `time` is set, also requires that the conversation and its last message were created at that
 * time or earlier. For a group, the announced activity must include `time`.
 */
function incrementMessageCount(
  conversationId: string,
  caller: Caller,
  { time, announced }: Activity,
) {
  const participant = participantCondition(caller);
  const isAnnounced = announced !== undefined;
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
          ...(isAnnounced ? [] : ['(attribute_not_exists(group_id) OR active_until >= :now)']),
        ]),
  ];
  const assignments = [
    ...(time === undefined ? [] : ['last_message_at = :now', 'activity = :activity']),
    ...(isAnnounced ? ['active_until = :until'] : []),
  ];
  return update({
    Key: conversationKey(conversationId),
    UpdateExpression: [
      ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
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
      ...(isAnnounced && { ':until': announced }),
    },
    ReturnValues: 'ALL_OLD',
  });
}
