import type { Caller } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { createConversation } from '../../shared/contract/operations.ts';
import { ApiError } from '../../shared/errors.ts';
import { serve } from '../../shared/http/serve.ts';
import { newConversationId } from '../../shared/ids.ts';
import { touchContact } from '../../shared/table/contacts.ts';
import {
  answerFor,
  newConversation,
  putConversation,
} from '../../shared/table/conversations/items.ts';
import { findFirst } from '../../shared/table/idempotency.ts';

export const handler = serve(createConversation, async ({ caller, body, once }) => {
  const answer = (id: string) =>
    answerFor(caller.id, { conversation: newConversation(id, caller.id, body), settings: {} });

  const first = await findFirst(once, caller);
  if (first) return { ...answer(first.made), replayed: true };
  requireMember(caller, body.group_id);
  const conversation = newConversation(newConversationId(clock.now()), caller.id, body);
  const touching = touchContact(caller);
  const guard = once && { once, contact: touching };
  const [twin] = await Promise.all([putConversation(conversation, caller, guard), touching]);
  return twin ? { ...answer(twin.made), replayed: true } : answer(conversation.id);
});

function requireMember(caller: Caller, groupId: string | null | undefined): void {
  if (!groupId || caller.groups.includes(groupId)) return;
  throw new ApiError('not_allowed', {
    message: 'Only a member of the group can create a conversation in it.',
    param: 'group_id',
  });
}
