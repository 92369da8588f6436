import type { Caller } from '../../../caller.ts';
import { ApiError, invalid, notFound } from '../../../errors.ts';
import { requireMatch } from '../../../etag.ts';
import { parseMessageId } from '../../../ids.ts';
import { type Step, takeAll } from '../../calls/steps.ts';
import {
  type ConversationItem,
  type ConversationView,
  getConversation,
  toAnswer,
} from '../items/conversation-item.ts';
import { type FlagChange, withFlags } from '../items/flags.ts';
import { pinSteps } from './pin-steps.ts';
import { withOpening } from './record-opening.ts';
import { settingsSteps } from './settings-steps.ts';
import { toConversationCheck, toSettingsCheck } from './unchanged-conditions.ts';

export interface ConversationChange extends FlagChange {
  /** Null for none; when it is absent, the pin stays as it is. */
  pinned_message_id?: string | null | undefined;
  /** The caller has been given everything up to it; when it is absent, nothing. */
  last_read_message_id?: string | undefined;
}

const maxAttempts = 10;

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
): Promise<ConversationView> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = await getConversation(id, caller);
    if (!before) throw notFound('conversation_id');
    requireMatch(ifMatch, toAnswer(caller.id, before));
    const after = withChange(before, change);
    const steps = toSteps(before, after, caller.id, ifMatch !== undefined);
    if (steps.length === 0 || (await takeAll(steps))) return after;
  }
  throw new ApiError('unavailable');
}

function withChange(
  { conversation, settings }: ConversationView,
  change: ConversationChange,
): ConversationView {
  const { pinned_message_id: pin, last_read_message_id: read } = change;
  const flagged = withFlags(settings, change);
  return {
    conversation:
      pin === undefined ? conversation : { ...conversation, pinned_message_id: pin ?? undefined },
    settings:
      read === undefined
        ? flagged
        : withOpening(
            { conversation, settings: flagged },
            { sequence: parseReadSequence(read, conversation), hasNewMessage: false },
          ),
  };
}

/** The place of the log that the id tells; what has become of the message makes no difference. */
function parseReadSequence(messageId: string, { id, message_count }: ConversationItem): number {
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
function toSteps(
  before: ConversationView,
  after: ConversationView,
  callerId: string,
  ifMatch: boolean,
): Step[] {
  const { conversation } = before;
  const pinned = after.conversation.pinned_message_id;
  const samePin = conversation.pinned_message_id === pinned;
  const ownSteps = settingsSteps(before, callerId, after.settings, ifMatch);
  const changes = [...(samePin ? [] : pinSteps(conversation, pinned, ifMatch)), ...ownSteps];
  if (!ifMatch || changes.length === 0) return changes;
  return [
    ...changes,
    ...(samePin ? [toConversationCheck(conversation)] : []),
    ...(ownSteps.length === 0 ? [toSettingsCheck(before, callerId)] : []),
  ];
}
