import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { parseBusinessGroup } from '../../../contract/business/business-group.ts';
import { getItems, type Item } from '../../calls/access.ts';
import { type MergeRange, mergeSources } from '../../calls/merge-sources.ts';
import { assignedPartition, conversationKey } from '../../keys/keys.ts';
import { indexes } from '../../keys/names.ts';
import { type FoundConversation, parseVisibleConversation } from '../items/conversation-item.ts';

export interface AssignmentFilter {
  /** `undefined` for unassigned conversations. */
  assignee: string | undefined;
  groupId: string | undefined;
}

/** Returns conversations with the caller's businesses by who is assigned, newest first. */
export const listAssigned = (
  caller: Caller,
  { assignee, groupId }: AssignmentFilter,
  range: MergeRange,
): Promise<FoundConversation[]> =>
  mergeSources({
    ...range,
    sources: [...new Set(caller.groups)]
      .filter((group) => parseBusinessGroup(group) !== undefined)
      .filter((group) => groupId === undefined || group === groupId)
      .map((group) => ({ index: 'gsi3', partition: assignedPartition(group, assignee) })),
    choose: (items) => toAssigned(items, caller, assignee),
  });

const { sort: conversationId } = indexes.gsi3;
const IndexedItem = v.object({ [conversationId]: v.string() });

/** Returns the index entries' conversations that still have the assignment. */
async function toAssigned(
  items: Item[],
  caller: Caller,
  assignee: string | undefined,
): Promise<FoundConversation[]> {
  const ids = items.map((item) => v.parse(IndexedItem, item)[conversationId]);
  const found = await getItems(ids.map(conversationKey));
  const conversations = new Map(
    found
      .flatMap((item) => parseVisibleConversation(caller, item) ?? [])
      .filter(({ assigned_to }) => assigned_to === assignee)
      .map((conversation) => [conversation.id, conversation]),
  );
  return ids.flatMap((id) => {
    const conversation = conversations.get(id);
    return conversation ? [{ conversation, consistentParts: 'conversation' as const }] : [];
  });
}
