import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { parseBusinessGroup } from '../../../contract/business/business-group.ts';
import type { Item } from '../../calls/access.ts';
import { type MergeRange, mergeSources } from '../../calls/merge-sources.ts';
import { assignedPartition } from '../../keys/keys.ts';
import { indexes } from '../../keys/names.ts';
import type { FoundConversation } from '../items/conversation-item.ts';
import { getVisibleConversations } from './get-visible-conversations.ts';

export interface AssignmentFilter {
  /** Assigned contact; `undefined` selects unassigned conversations. */
  assignee: string | undefined;
  groupId: string | undefined;
}

/**
 * Returns the conversations with this assignee in the caller's businesses, sorted by creation
 * time. Throws `too_many_conversations`.
 */
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

/** Omits conversations that no longer have this assignee. */
async function toAssigned(
  items: Item[],
  caller: Caller,
  assignee: string | undefined,
): Promise<FoundConversation[]> {
  const ids = items.map((item) => v.parse(IndexedItem, item)[conversationId]);
  const conversations = await getVisibleConversations(ids, caller);
  return ids.flatMap((id) => {
    const conversation = conversations.get(id);
    const isAssigned = conversation && conversation.assigned_to === assignee;
    return isAssigned ? [{ conversation, consistentParts: 'conversation' as const }] : [];
  });
}
