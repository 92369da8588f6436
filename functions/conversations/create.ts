import * as v from 'valibot';
import { ApiError } from '../../shared/api-error.ts';
import type { Caller } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { createConversation } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { newConversationId } from '../../shared/ids.ts';
import { touchContact } from '../../shared/table/contacts.ts';
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
    const expansions = [...query.expand, ...body.expand];
    const toConversation = (id: string) => newConversation(id, caller.id, body);
    const createdAnswer = async (id: string) => {
      const view = { conversation: toConversation(id), settings: {} };
      return {
        ...toAnswer(caller.id, view),
        expansion: await getExpansion(caller, view, expansions),
      };
    };
    const existingAnswer = async (original: ConversationView, current = original) => ({
      ...toAnswer(caller.id, original),
      found: true as const,
      expansion: await getExpansion(caller, current, expansions),
    });

    return withIdempotency(idempotencyKey, caller, {
      replay: async (record) => {
        if (record.found === undefined) return createdAnswer(record.made);
        const original = v.parse(ConversationView, record.found);
        const hasExpansions = expansions.length > 0;
        // Expansions show the current state: nothing, if the conversation has been deleted since.
        const current = hasExpansions ? await getConversation(record.made, caller) : undefined;
        return existingAnswer(
          original,
          current ?? { conversation: toConversation(record.made), settings: {} },
        );
      },
      create: async (put, commit) => {
        requireMember(caller, group_id);
        const contact = await touchContact(caller);
        if (distinct && contact_id) {
          const outcome = await getOrCreateDistinct(
            caller,
            contact_id,
            ({ view, isFound, writes }) =>
              commit(
                { id: view.conversation.id, writes, ...(isFound && { found: view }) },
                contact,
              ),
          );
          return outcome.isFound
            ? existingAnswer(outcome.view)
            : createdAnswer(outcome.view.conversation.id);
        }
        const id = newConversationId(clock.now());
        // The id is new, so an existing conversation was put by an attempt whose reply was lost.
        await put({ id, item: toStoredConversation(toConversation(id)) }, contact);
        return createdAnswer(id);
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
