import * as v from 'valibot';
import { ApiError, notFound } from '../../shared/api-error.ts';
import type { Caller } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { toBusinessGroup } from '../../shared/contract/business/business-group.ts';
import type { OperationResult } from '../../shared/contract/operation.ts';
import { createConversation } from '../../shared/contract/operations.ts';
import type {
  Conversation,
  CreateConversation,
} from '../../shared/contract/resources/conversation.ts';
import type { Expansion } from '../../shared/contract/resources/expand.ts';
import { serve } from '../../shared/http/serve.ts';
import { newConversationId } from '../../shared/ids.ts';
import { getBusiness } from '../../shared/table/businesses/get-business.ts';
import { touchContact } from '../../shared/table/contacts.ts';
import { toNewAssignment } from '../../shared/table/conversations/items/assignment.ts';
import {
  ConversationView,
  newConversation,
  type Participants,
  toConversationResult,
  toStoredConversation,
} from '../../shared/table/conversations/items/conversation-item.ts';
import { getConversation } from '../../shared/table/conversations/items/find-access.ts';
import { getOrCreateDistinct } from '../../shared/table/conversations/write/get-or-create-distinct.ts';
import { requireUnblockedPair } from '../../shared/table/conversations/write/pair-blocks.ts';
import { getExpansion } from '../../shared/table/expansions/expand-conversations.ts';
import { announceCreation } from '../../shared/table/group-heads.ts';
import { withMembership } from '../../shared/table/groups/membership.ts';
import { withIdempotency } from '../../shared/table/idempotency.ts';

type ConversationResult = OperationResult<Conversation>;

export const handler = serve(
  createConversation,
  async ({ caller, query, body, idempotencyKey }) => {
    const participants = toParticipants(caller, body);
    const expansions = [...query.expand, ...body.expand];
    const toNewView = (id: string): ConversationView => ({
      conversation: newConversation(id, caller.id, participants),
      settings: {},
    });
    const toNewResult = (id: string) => toCreatedResult(caller, toNewView(id), expansions);

    return withIdempotency(idempotencyKey, caller, {
      replay: async (record) => {
        if (record.found === undefined) return toNewResult(record.made);
        const original = v.parse(ConversationView, record.found);
        // Expansions show the conversation's current state or, if the caller can no longer access
        // it, the state of a new conversation.
        const current =
          expansions.length > 0 ? await getConversation(record.made, caller) : undefined;
        return toExistingResult(caller, original, current ?? toNewView(record.made), expansions);
      },
      create: async (commit) => {
        await requireMember(caller, body.group_id);
        if (body.business_id) await requireActiveBusiness(body.business_id);
        if (!body.distinct) await requireUnblockedPair(caller, participants);
        if (body.distinct) {
          const contact = await touchContact(caller);
          const { view, isFound } = await getOrCreateDistinct(
            caller,
            participants,
            async (plan) => {
              const { view, isFound, writes } = plan;
              const found = isFound ? view : undefined;
              return (await commit({ id: view.conversation.id, writes, found }, contact)).done;
            },
          );
          return isFound
            ? toExistingResult(caller, view, view, expansions)
            : toNewResult(view.conversation.id);
        }
        const [contact, activity] = await Promise.all([
          touchContact(caller),
          announceCreation(participants.group_id),
        ]);
        const id = newConversationId(clock.now());
        const conversation = { ...toNewView(id).conversation, ...activity };
        const items = [toStoredConversation(conversation), ...toNewAssignment(conversation)];
        // The id is new, so if the conversation exists, an earlier attempt at this write created
        // it.
        await commit({ id, writes: items.map((put) => ({ put })) }, contact);
        return toNewResult(id);
      },
    });
  },
);

const toCreatedResult = async (
  caller: Caller,
  view: ConversationView,
  expansions: readonly Expansion[],
): Promise<ConversationResult> => ({
  ...toConversationResult(caller, view),
  expansion: await getExpansion(caller, view, expansions),
});

const toExistingResult = async (
  caller: Caller,
  original: ConversationView,
  current: ConversationView,
  expansions: readonly Expansion[],
): Promise<ConversationResult> => ({
  ...toConversationResult(caller, original),
  alreadyExists: true,
  expansion: await getExpansion(caller, current, expansions),
});

/**
 * Returns the participants. In a conversation with a business, the group is the business's staff,
 * and the contact is the caller.
 */
const toParticipants = (
  caller: Caller,
  { contact_id, group_id, business_id }: CreateConversation,
): Participants =>
  business_id
    ? { contact_id: caller.id, group_id: toBusinessGroup(business_id) }
    : { contact_id, group_id };

async function requireActiveBusiness(publicId: string): Promise<void> {
  const business = await getBusiness(publicId);
  if (business?.status !== 'active') throw notFound('business_id');
}

async function requireMember(caller: Caller, groupId: string | null | undefined): Promise<void> {
  if (!groupId || (await withMembership(caller, groupId)).groups.includes(groupId)) return;
  throw new ApiError('not_allowed', {
    message: 'Only members of the group can create a conversation in it.',
    param: 'group_id',
  });
}
