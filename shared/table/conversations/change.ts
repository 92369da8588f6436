import type { Caller } from '../../caller.ts';
import { ApiError, notFound } from '../../errors.ts';
import { requireMatch } from '../../etag.ts';
import { type Step, takeAll } from '../calls/steps.ts';
import { type FlagChange, flagStep, haveSameFlags, withFlags } from './flags.ts';
import { answerFor, getConversation, type View } from './items.ts';
import { pinSteps } from './pins.ts';
import { conversationCheck, settingsCheck } from './unchanged.ts';

export interface ConversationChange extends FlagChange {
  /** Null for none; when it is absent, the pin stays as it is. */
  pinned_message_id?: string | null | undefined;
}

const mostTries = 10;

/**
 * Changes the shared pin and the caller's own flags, all of it or nothing, and gives the conversation as the caller then
 * sees it; nothing is written if that is how it was. A change is decided on what was read, and made on condition that
 * this has not changed; else it is read and decided again, so that people and devices at once lose nothing. Throws
 * `not_found` for `conversation_id`, `parameter_invalid` for `pinned_message_id`, `precondition_failed`.
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

const withChange = ({ conversation, settings }: View, change: ConversationChange): View => ({
  conversation:
    change.pinned_message_id === undefined
      ? conversation
      : { ...conversation, pinned_message_id: change.pinned_message_id ?? undefined },
  settings: withFlags(settings, change),
});

/** None if nothing changes. With If-Match, what does not change itself is checked to be as it was read. */
function stepsBetween(before: View, after: View, callerId: string, ifMatch: boolean): Step[] {
  const { conversation, settings } = before;
  const pinned = after.conversation.pinned_message_id;
  const samePin = conversation.pinned_message_id === pinned;
  const sameFlags = haveSameFlags(settings, after.settings);
  const changes = [
    ...(samePin ? [] : pinSteps(conversation, pinned, ifMatch)),
    ...(sameFlags ? [] : [flagStep(before, callerId, after.settings, ifMatch)]),
  ];
  if (!ifMatch || changes.length === 0) return changes;
  return [
    ...changes,
    ...(samePin ? [conversationCheck(conversation)] : []),
    ...(sameFlags ? [settingsCheck(before, callerId)] : []),
  ];
}
