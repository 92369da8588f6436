import type { Caller } from '../../caller.ts';
import { ApiError, invalid, notFound } from '../../errors.ts';
import { requireMatch } from '../../etag.ts';
import { parseMessageId } from '../../ids.ts';
import { type Step, takeAll } from '../calls/steps.ts';
import { type FlagChange, withFlags } from './flags.ts';
import { answerFor, type ConversationItem, getConversation, type View } from './items.ts';
import { settingsOpened } from './opening.ts';
import { pinSteps } from './pins.ts';
import { settingsSteps } from './settings-step.ts';
import { conversationCheck, settingsCheck } from './unchanged.ts';

export interface ConversationChange extends FlagChange {
  /** Null for none; when it is absent, the pin stays as it is. */
  pinned_message_id?: string | null | undefined;
  /** The caller has been given everything up to it; when it is absent, nothing. */
  last_read_message_id?: string | undefined;
}

const mostTries = 10;

/**
 * Changes the shared pin, the caller's own flags and what the caller has read, all of it or nothing, and gives the
 * conversation as the caller then sees it; nothing is written if that is how it was. A change is decided on what was read,
 * and made on condition that this has not changed; else it is read and decided again, so that people and devices at once
 * lose nothing. Throws `not_found` for `conversation_id`, `parameter_invalid` for `pinned_message_id` and
 * `last_read_message_id`, `precondition_failed`.
 */
export async function changeConversation(
  id: string,
  caller: Caller,
  change: ConversationChange,
  ifMatch: string | undefined,
): Promise<View> {
  for (let tries = 0; tries < mostTries; tries++) {
    const before = await getConversation(id, caller);
    if (!before) throw notFound('conversation_id');
    requireMatch(ifMatch, answerFor(caller.id, before));
    const after = withChange(before, change);
    const steps = stepsBetween(before, after, caller.id, ifMatch !== undefined);
    if (steps.length === 0 || (await takeAll(steps))) return after;
  }
  throw new ApiError('unavailable');
}

function withChange({ conversation, settings }: View, change: ConversationChange): View {
  const { pinned_message_id: pin, last_read_message_id: read } = change;
  const flagged = withFlags(settings, change);
  return {
    conversation:
      pin === undefined ? conversation : { ...conversation, pinned_message_id: pin ?? undefined },
    settings:
      read === undefined
        ? flagged
        : settingsOpened(
            { conversation, settings: flagged },
            { place: placeOf(read, conversation), news: false },
          ),
  };
}

/** The place of the log that the id tells; what has become of the message makes no difference. */
function placeOf(messageId: string, { id, message_count }: ConversationItem): number {
  const position = parseMessageId(messageId);
  if (
    position?.conversationId === id &&
    1 <= position.sequence &&
    position.sequence <= message_count
  )
    return position.sequence;
  throw invalid('last_read_message_id', 'must be the id of a message of this conversation');
}

/** None if nothing changes. With If-Match, what does not change itself is checked to be as it was read. */
function stepsBetween(before: View, after: View, callerId: string, ifMatch: boolean): Step[] {
  const { conversation } = before;
  const pinned = after.conversation.pinned_message_id;
  const samePin = conversation.pinned_message_id === pinned;
  const settled = settingsSteps(before, callerId, after.settings, ifMatch);
  const changes = [...(samePin ? [] : pinSteps(conversation, pinned, ifMatch)), ...settled];
  if (!ifMatch || changes.length === 0) return changes;
  return [
    ...changes,
    ...(samePin ? [conversationCheck(conversation)] : []),
    ...(settled.length === 0 ? [settingsCheck(before, callerId)] : []),
  ];
}
