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
  storedConversation,
} from '../../shared/table/conversations/items.ts';
import { idempotently } from '../../shared/table/idempotency.ts';
import { expansionOf } from '../../shared/table/messages/expand.ts';

export const handler = serve(
  createConversation,
  async ({ caller, query, body, idempotencyKey }) => {
    const conversationOf = (id: string) => newConversation(id, caller.id, body);
    const answer = async (id: string) => {
      const view = { conversation: conversationOf(id), settings: {} };
      const expansion = await expansionOf(caller, view, [...query.expand, ...body.expand]);
      return { ...answerFor(caller.id, view), expansion };
    };

    return idempotently(idempotencyKey, caller, {
      replay: ({ made }) => answer(made),
      create: async (put) => {
        requireMember(caller, body.group_id);
        const id = newConversationId(clock.now());
        const contact = touchContact(caller);
        // The id is drawn for this conversation alone: if it is there already, a repeated try has met the first.
        await Promise.all([
          put({ id, item: storedConversation(conversationOf(id)) }, contact),
          contact,
        ]);
        return answer(id);
      },
    });
  },
);

function requireMember(caller: Caller, groupId: string | null | undefined): void {
  if (!groupId || caller.groups.includes(groupId)) return;
  throw new ApiError('not_allowed', {
    message: 'Only a member of the group can create a conversation in it.',
    param: 'group_id',
  });
}
