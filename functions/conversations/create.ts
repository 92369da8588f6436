import { clock } from '../../shared/clock.ts';
import { createConversation } from '../../shared/contract/operations.ts';
import { ApiError } from '../../shared/errors.ts';
import { serve } from '../../shared/http/serve.ts';
import { newConversationId } from '../../shared/ids.ts';
import { touchContact } from '../../shared/table/contacts.ts';
import { conversationSeenBy, putConversation } from '../../shared/table/conversations.ts';

export const handler = serve(createConversation, async ({ caller, body }) => {
  const { contact_id, group_id } = body;
  if (group_id && !caller.groups.includes(group_id)) {
    throw new ApiError('not_allowed', {
      message: 'Only a member of the group can create a conversation in it.',
      param: 'group_id',
    });
  }
  const now = clock.now();
  const conversation = {
    id: newConversationId(now),
    created_by: caller.id,
    contact_id: contact_id ?? undefined,
    group_id: group_id ?? undefined,
    created_at: now,
    message_count: 0,
  };
  await Promise.all([putConversation(conversation), touchContact(caller)]);
  return conversationSeenBy(caller.id, conversation, {});
});
