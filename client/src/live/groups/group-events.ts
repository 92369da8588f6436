import type { Event } from '../../generated/types.ts';
import type { LiveContext } from '../live-context.ts';
import type { GroupChange, PushEvent } from '../push-event.ts';
import { removeConversation } from '../stores/conversation-cache.ts';
import { recordLeaving } from '../stores/left-groups.ts';

export type GroupEvent = Extract<Event, { type: `group.${string}` }>;

export const isGroupEvent = (event: PushEvent): event is GroupEvent =>
  event.type.startsWith('group.');

/**
 * Shows a change to a group or to another member. If the user's own membership changed or the group
 * was deleted, schedules a reload of the lists. If the user is no longer a member, removes the
 * group before the reload.
 */
export function receiveGroupEvent(
  context: LiveContext,
  { payload, version }: Pick<GroupEvent, 'payload' | 'version'>,
): void {
  if (!payload) return;
  const { changes, userId, session } = context;
  if ('contact_id' in payload) {
    if (!changes.recordEvent(payload.id, version)) return;
    const { contact_id, group_id } = payload;
    if (contact_id !== userId) applyChange(context, payload);
    else if ('deleted' in payload) session.leaveGroup(group_id);
    else session.joinGroup();
  } else if ('deleted' in payload) {
    changes.recordDeletion(payload.id);
    session.leaveGroup(payload.id);
  } else if (changes.recordEvent(payload.id, version)) applyChange(context, payload);
}

function applyChange({ groupStores }: LiveContext, change: GroupChange) {
  for (const store of groupStores) store.apply(change);
}

/** Removes a group that was deleted or that the user has left, and its conversations. */
export function removeGroup({ changes, lists, groupStores }: LiveContext, groupId: string): void {
  recordLeaving(changes, groupId);
  for (const { cache } of lists)
    for (const { conversation } of [...cache.entries.values()])
      if (conversation.group_id === groupId) removeConversation(cache, conversation.id);
  for (const store of groupStores) store.leave(groupId);
}
