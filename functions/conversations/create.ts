import * as v from 'valibot';
import type { Caller } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { createConversation } from '../../shared/contract/operations.ts';
import { ApiError } from '../../shared/errors.ts';
import { serve } from '../../shared/http/serve.ts';
import { newConversationId } from '../../shared/ids.ts';
import { withContactUpdate } from '../../shared/table/contacts.ts';
import {
  ConversationView,
  getConversation,
  newConversation,
  toAnswer,
  toStoredConversation,
} from '../../shared/table/conversations/items/conversation-item.ts';
import { getOrCreateDistinct } from '../../shared/table/conversations/write/get-or-create-distinct.ts';
import { withIdempotency } from '../../shared/table/idempotency.ts';
import { getExpansion } from '../../shared/table/messages/query/expand-conversations.ts';

export const handler = serve(
  createConversation,
  async ({ caller, query, body, idempotencyKey }) => {
    const { contact_id, group_id, distinct } = body;
    const words = [...query.expand, ...body.expand];
    const conversationOf = (id: string) => newConversation(id, caller.id, body);
    const made = async (id: string) => {
      const view = { conversation: conversationOf(id), settings: {} };
      return { ...toAnswer(caller.id, view), expansion: await getExpansion(caller, view, words) };
    };
    const found = async (then: ConversationView, now = then) => ({
      ...toAnswer(caller.id, then),
      found: true as const,
      expansion: await getExpansion(caller, now, words),
    });

    return withIdempotency(idempotencyKey, caller, {
      replay: async (record) => {
        if (record.found === undefined) return made(record.made);
        const then = v.parse(ConversationView, record.found);
        const isAsked = words.length > 0;
        // Expansions show the current state: nothing, if the conversation has been deleted since.
        const now = isAsked ? await getConversation(record.made, caller) : undefined;
        return found(then, now ?? { conversation: conversationOf(record.made), settings: {} });
      },
      create: async (put, commit) => {
        requireMember(caller, group_id);
        if (distinct && contact_id) {
          const { result: one } = await withContactUpdate(caller, (contact) =>
            getOrCreateDistinct(caller, contact_id, ({ view, isFound, writes }) =>
              commit(
                { id: view.conversation.id, writes, ...(isFound && { found: view }) },
                contact,
              ),
            ),
          );
          return one.isFound ? found(one.view) : made(one.view.conversation.id);
        }
        const id = newConversationId(clock.now());
        // The id is new, so an existing conversation was put by an attempt whose reply was lost.
        await withContactUpdate(caller, (contact) =>
          put({ id, item: toStoredConversation(conversationOf(id)) }, contact),
        );
        return made(id);
      },
    });
  },
);

function requireMember(caller: Caller, groupId: string | null | undefined): void {
  if (!groupId || caller.groups.includes(groupId)) return;
  throw new ApiError('not_allowed', {
    message: 'Only members of the group can create a conversation in it.',
    param: 'group_id',
  });
}
