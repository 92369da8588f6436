import { invalidParameter, notFound } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { requireIfMatch } from '../../../etag.ts';
import { parseMessageId } from '../../../ids.ts';
import { retryUntilDone } from '../../calls/retry-until-done.ts';
import { runSteps, type Step } from '../../calls/run-steps.ts';
import { erasedContact } from '../../erased-contact.ts';
import { requireUnblocked } from '../items/blocked.ts';
import {
  type ConversationItem,
  type ConversationView,
  toConversationResult,
} from '../items/conversation-item.ts';
import { getConversation } from '../items/find-access.ts';
import { type FlagChange, withFlags } from '../items/flags.ts';
import type { Settings } from '../items/settings.ts';
import { assignSteps, requireStaff } from './assign-steps.ts';
import { messageRule, pinSteps } from './pin-steps.ts';
import { withOpening } from './record-opening.ts';
import { settingsSteps } from './settings-steps.ts';
import { toConversationCheck, toSettingsCheck } from './unchanged-conditions.ts';

/** Change to a conversation. Absent fields change nothing. */
export interface ConversationChange extends FlagChange {
  /** Message to pin; null removes the pin. */
  pinned_message_id?: string | null | undefined;
  /** Contact to assign; null unassigns the conversation. */
  assigned_to?: string | null | undefined;
  /** Message up to which the caller has read. */
  last_read_message_id?: string | undefined;
  /** Oldest message to mark as unread for the caller. */
  mark_unread_from?: string | undefined;
}

/**
 * Changes a conversation atomically: the shared pin and assignment, and the caller's flags and read
 * position. Retries if an item has changed since it was read. Throws `not_found`, `blocked`,
 * `blocking`, `not_allowed`, `parameter_invalid`, `precondition_failed` or `unavailable`.
 */
export async function changeConversation(
  id: string,
  caller: Caller,
  change: ConversationChange,
  ifMatch: string | undefined,
): Promise<ConversationView> {
  return retryUntilDone(async () => {
    const before = await getConversation(id, caller);
    if (!before) throw notFound('conversation_id');
    if (before.settings.erased_at !== undefined) throw erasedContact();
    if (changesPin(before.conversation, change)) requireUnblocked(before.conversation, caller);
    if (change.assigned_to !== undefined) requireStaff(before.conversation, caller);
    requireIfMatch(ifMatch, toConversationResult(caller, before));
    const after = withChange(before, change);
    const steps = toSteps(before, after, caller.id, ifMatch !== undefined);
    return steps.length === 0 || (await runSteps(steps)) ? after : undefined;
  });
}

/** Reports whether the request changes the pin. Requests may contain the current pin. */
const changesPin = (
  { pinned_message_id: before }: ConversationItem,
  { pinned_message_id: after }: ConversationChange,
): boolean => after !== undefined && (after ?? undefined) !== before;

function withChange(
  { conversation, settings }: ConversationView,
  change: ConversationChange,
): ConversationView {
  const { pinned_message_id: pin, assigned_to: assignee } = change;
  return {
    conversation: {
      ...conversation,
      ...(pin !== undefined && { pinned_message_id: pin ?? undefined }),
      ...(assignee !== undefined && { assigned_to: assignee ?? undefined }),
    },
    settings: withReadPosition({ conversation, settings: withFlags(settings, change) }, change),
  };
}

function withReadPosition(
  view: ConversationView,
  { last_read_message_id: lastRead, mark_unread_from: firstUnread }: ConversationChange,
): Settings {
  const { conversation, settings } = view;
  if (lastRead !== undefined) {
    const sequence = parseSequence('last_read_message_id', lastRead, conversation);
    return withOpening(view, { sequence, hasNewMessage: false });
  }
  if (firstUnread === undefined) return settings;
  const read_place = parseSequence('mark_unread_from', firstUnread, conversation) - 1;
  const { read_place: before = 0, max_read_sequence = 0 } = settings;
  if (read_place >= before) return settings;
  return { ...settings, read_place, max_read_sequence: Math.max(before, max_read_sequence) };
}

/**
 * Returns the sequence number in the id of a message of the conversation, even if the message is
 * deleted. Throws `parameter_invalid` for other ids.
 */
function parseSequence(
  param: 'last_read_message_id' | 'mark_unread_from',
  messageId: string,
  { id, message_count }: ConversationItem,
): number {
  const { conversationId, sequence = 0 } = parseMessageId(messageId) ?? {};
  if (conversationId === id && 1 <= sequence && sequence <= message_count) return sequence;
  throw invalidParameter(param, messageRule);
}

/** Returns the steps of the change. With If-Match, also checks items that no step writes. */
function toSteps(
  before: ConversationView,
  after: ConversationView,
  callerId: string,
  ifMatch: boolean,
): Step[] {
  const { conversation } = before;
  const { pinned_message_id: pinned, assigned_to: assignee } = after.conversation;
  const samePin = conversation.pinned_message_id === pinned;
  const sharedSteps = [
    ...(samePin ? [] : pinSteps(conversation, pinned, ifMatch)),
    ...(conversation.assigned_to === assignee ? [] : assignSteps(conversation, assignee, ifMatch)),
  ];
  const ownSteps = settingsSteps(before, callerId, after.settings, ifMatch);
  const changes = [...sharedSteps, ...ownSteps];
  if (!ifMatch || changes.length === 0) return changes;
  return [
    ...changes,
    ...(sharedSteps.length === 0 ? [toConversationCheck(conversation)] : []),
    ...(ownSteps.length === 0 ? [toSettingsCheck(before, callerId)] : []),
  ];
}
