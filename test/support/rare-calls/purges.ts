import type { Cloud } from '../../../local-cloud/cloud.ts';
import { createBlock, createConversation } from '../../../shared/contract/operations.ts';
import { newConversationId, newGroupId } from '../../../shared/ids.ts';
import {
  newConversation,
  toStoredConversation,
} from '../../../shared/table/conversations/items/conversation-item.ts';
import type { ConversationTombstone } from '../../../shared/table/conversations/items/conversation-tombstone.ts';
import type { GroupTombstone } from '../../../shared/table/groups/group-tombstone.ts';
import { toStoredMembership } from '../../../shared/table/groups/group-writes.ts';
import { groupKey } from '../../../shared/table/keys/group-keys.ts';
import {
  conversationKey,
  distinctKey,
  feedMaintenanceKey,
  messageKey,
  pairBlocksKey,
} from '../../../shared/table/keys/keys.ts';
import { call, type Person } from '../../acceptance/support/api.ts';
import { waitUntil } from '../processes/wait-until.ts';
import { hour, type Items } from './table-items.ts';

/**
 * Makes the purge worker purge a distinct conversation that was deleted an hour ago. Also makes it
 * defer a conversation whose deletion time is in the future, as if set by a fast clock.
 */
export async function purgeAndDefer({ put, read, remove }: Items): Promise<void> {
  const now = Date.now();
  const [past, future] = [newConversationId(now), newConversationId(now)];
  const tombstone = (deleted_at: number): ConversationTombstone => ({
    deleted_at,
    deletion: 'a deletion',
  });
  await put(messageKey(past, 1));
  const { pk: distinct_pair } = distinctKey('other', 'pair');
  await put({ ...conversationKey(past), ...tombstone(now - hour), distinct_pair });
  await put({ ...conversationKey(future), ...tombstone(now + hour) });
  await waitUntil(async () => (await read(conversationKey(past))) === undefined);
  await waitUntil(async () => (await read(conversationKey(future)))?.touched_at !== undefined);
  // The worker would update a remaining item repeatedly.
  await remove(conversationKey(future));
}

/** Makes the purge worker complete a block and an unblock that stopped midway an hour ago. */
export async function followBlocks({ put, read }: Items): Promise<void> {
  const at = Date.now() - hour;
  for (const [blocked, isBlocked] of [
    ['blocked', true],
    ['unblocked', false],
  ] as const) {
    const participants = { contact_id: blocked };
    const conversation = newConversation(newConversationId(at), 'blocker', participants);
    await put({
      ...toStoredConversation(conversation),
      ...(!isBlocked && { blocked_by: new Set(['blocker']) }),
      message_count: 1,
    });
    await put({
      ...pairBlocksKey('blocker', blocked),
      ...{ first_change: 'a change', first_changed_at: at },
      ...{ second_change: 'a change', second_changed_at: at },
      ...(isBlocked && { second_blocked_at: at }),
    });
    await waitUntil(async () => {
      const item = await read(conversationKey(conversation.id));
      return (item?.blocked_by !== undefined) === isBlocked;
    });
  }
}

/** Blocks a contact whose conversation with the blocker has a reservation. */
export async function blockContact(cloud: Cloud): Promise<void> {
  const blocker = { id: 'blocker', token: await cloud.token('blocker') };
  await call(blocker, createBlock, { path: { contact_id: 'unblocked' } });
}

/**
 * Removes the maintenance items of a person's feed and a group's feed, as DynamoDB's TTL does.
 * Waits until feed maintenance has run and scheduled itself again.
 */
export async function maintainFeeds({ read, remove }: Items, nora: Person): Promise<void> {
  const feeds = [
    { kind: 'contact', id: 'nora' },
    { kind: 'group', id: 'team' },
  ] as const;
  for (const inbox of feeds) {
    await call(nora, createConversation, { body: { [`${inbox.kind}_id`]: inbox.id } });
    const isScheduled = async () => (await read(feedMaintenanceKey(inbox))) !== undefined;
    await waitUntil(isScheduled);
    await remove(feedMaintenanceKey(inbox));
    await waitUntil(isScheduled);
  }
}

/**
 * Deletes two groups. The purge worker removes the first group immediately, because its memberships
 * ended an hour ago. For the second group, the worker first ends the memberships.
 */
export async function purgeGroups({ put, read, remove }: Items): Promise<void> {
  const now = Date.now();
  const deleteGroup = async (ended_at: number | undefined): Promise<string> => {
    const group_id = newGroupId(now);
    const membership = { group_id, contact_id: 'nora', role: 'owner', joined_at: now } as const;
    const tombstone: GroupTombstone = {
      ...{ deleted_at: now - hour, member_count: 1 },
      ...(ended_at !== undefined && { ended_at }),
    };
    await put(toStoredMembership(membership));
    await put(toStoredConversation(newConversation(newConversationId(now), 'nora', { group_id })));
    await put({ ...groupKey(group_id), ...tombstone });
    return group_id;
  };
  const past = await deleteGroup(now - hour);
  await waitUntil(async () => (await read(groupKey(past))) === undefined);
  const present = await deleteGroup(undefined);
  await waitUntil(async () => (await read(groupKey(present)))?.ended_at !== undefined);
  // The worker would purge a remaining group only after two minutes.
  await remove(groupKey(present));
}
