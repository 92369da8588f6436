import * as v from 'valibot';
import { ApiError } from '../../shared/api-error.ts';
import type { Caller } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import type { Answer } from '../../shared/contract/operation.ts';
import { createConversation } from '../../shared/contract/operations.ts';
import type { Conversation } from '../../shared/contract/resources/conversation.ts';
import type { Expansion } from '../../shared/contract/resources/expand.ts';
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

type ConversationAnswer = Answer<Conversation>;

export const handler = serve(
  createConversation,
  async ({ caller, query, body, idempotencyKey }) => {
    const { contact_id, distinct } = body;
    const expansions = [...query.expand, ...body.expand];
    const toNewView = (id: string): ConversationView => ({
      conversation: newConversation(id, caller.id, body),
      settings: {},
    });
    const toNewAnswer = (id: string) => createdAnswer(caller, toNewView(id), expansions);

    return withIdempotency(idempotencyKey, caller, {
      replay: async (record) => {
        if (record.found === undefined) return toNewAnswer(record.made);
        const original = v.parse(ConversationView, record.found);
        // Expansions show the current state: nothing, if the conversation has been deleted since.
        const current =
          expansions.length > 0 ? await getConversation(record.made, caller) : undefined;
        return existingAnswer(caller, original, current ?? toNewView(record.made), expansions);
      },
      create: async (put, commit) => {
        requireMember(caller, body.group_id);
        const contact = await touchContact(caller);
        if (distinct && contact_id) {
          const { view, isFound } = await getOrCreateDistinct(caller, contact_id, (plan) => {
            const found = plan.isFound ? plan.view : undefined;
            return commit({ id: plan.view.conversation.id, writes: plan.writes, found }, contact);
          });
          return isFound
            ? existingAnswer(caller, view, view, expansions)
            : toNewAnswer(view.conversation.id);
        }
        const id = newConversationId(clock.now());
        // The id is new, so an existing conversation was put by an attempt whose reply was lost.
        await put({ id, item: toStoredConversation(toNewView(id).conversation) }, contact);
        return toNewAnswer(id);
      },
    });
  },
);

const createdAnswer = async (
  caller: Caller,
  view: ConversationView,
  expansions: readonly Expansion[],
): Promise<ConversationAnswer> => ({
  ...toAnswer(caller.id, view),
  expansion: await getExpansion(caller, view, expansions),
});

const existingAnswer = async (
  caller: Caller,
  original: ConversationView,
  current: ConversationView,
  expansions: readonly Expansion[],
): Promise<ConversationAnswer> => ({
  ...toAnswer(caller.id, original),
  alreadyExists: true,
  expansion: await getExpansion(caller, current, expansions),
});

function requireMember(caller: Caller, groupId: string | null | undefined): void {
  if (!groupId || caller.groups.includes(groupId)) return;
  throw new ApiError('not_allowed', {
    message: 'Only members of the group can create a conversation in it.',
    param: 'group_id',
  });
}
