import * as v from 'valibot';
import { clock, maxRequestMilliseconds } from '../../clock.ts';
import { getItem, queryPage, update } from '../calls/access.ts';
import { toAssignment } from '../calls/expressions.ts';
import { removeItem } from '../calls/remove-items.ts';
import { isDeleted, toTombstoneTouch } from '../conversations/items/conversation-tombstone.ts';
import { deleteWithGroup } from '../conversations/write/delete-conversation.ts';
import type { PurgeLimits, PurgeResult } from '../conversations/write/purge-conversation.ts';
import { GroupTombstone, getDeletionVersion } from '../groups/group-tombstone.ts';
import { groupKey } from '../keys/group-keys.ts';
import { groupHeadKey, groupInboxPartition, parseConversationPartition } from '../keys/keys.ts';
import { deletionAttribute, indexes } from '../keys/names.ts';
import { endMemberships } from './end-memberships.ts';
import { removeMemberships } from './remove-memberships.ts';

/**
 * Removes all data of a deleted group. First ends all memberships, and waits until all requests
 * that read a membership have ended. Then deletes the conversations. A minute later, deletes
 * conversations that the index listed late. Then removes the memberships and, last, the tombstone.
 * If work remains, updates the tombstone, which triggers the next call. Safe to repeat.
 */
export async function purgeGroup(id: string, limits: PurgeLimits): Promise<PurgeResult> {
  const item = await getItem(groupKey(id));
  if (!item) return 'purged';
  if (!isDeleted(item)) return 'not_deleted';
  const tombstone = v.parse(GroupTombstone, item);
  if (tombstone.ended_at === undefined) await endAll(id, tombstone, limits);
  else if (await removeAll(id, tombstone.ended_at, limits)) {
    await removeItem(groupHeadKey(id));
    await removeItem(groupKey(id));
    return 'purged';
  }
  await update(toTombstoneTouch(groupKey(id), clock.now()));
  return 'unfinished';
}

async function endAll(id: string, tombstone: GroupTombstone, { until }: PurgeLimits) {
  const ended = await endMemberships(id, getDeletionVersion(tombstone), until);
  // The index may not list all memberships yet.
  if (ended < tombstone.member_count) return;
  const condition = { ConditionExpression: `attribute_exists(${deletionAttribute})` };
  await update({ Key: groupKey(id), ...toAssignment({ ended_at: clock.now() }, condition) });
}

/** Maximum milliseconds until the index lists a new conversation. */
const maxIndexLag = 60_000;

/**
 * Removes the group's conversations and memberships. Returns false if any conversation or
 * membership remains.
 */
async function removeAll(id: string, endedAt: number, limits: PurgeLimits): Promise<boolean> {
  const settledAt = endedAt + maxRequestMilliseconds;
  for (const at of [settledAt, settledAt + maxIndexLag]) {
    if (at >= limits.until) return false;
    await clock.sleep(Math.max(0, at - clock.now()));
    if (!(await deleteConversations(id, limits))) return false;
  }
  return removeMemberships(id, limits);
}

/** Write units per deleted conversation. */
const deletionUnits = 5;
const pageSize = 25;

/** Deletes the group's conversations. Returns false if time runs out. */
async function deleteConversations(id: string, { until, rate }: PurgeLimits): Promise<boolean> {
  for (;;) {
    const start = clock.now();
    if (start >= until) return false;
    const { items } = await queryPage({
      IndexName: 'gsi1',
      KeyConditionExpression: `${indexes.gsi1.partition} = :inbox`,
      ExpressionAttributeValues: { ':inbox': groupInboxPartition(id) },
      Limit: pageSize,
    });
    const ids = v.parse(Partitions, items).flatMap((key) => parseConversationPartition(key) ?? []);
    if (ids.length === 0) return true;
    await Promise.all(ids.map(deleteWithGroup));
    const units = ids.length * deletionUnits;
    await clock.sleep(Math.max(0, start + (units / rate) * 1000 - clock.now()));
  }
}

const Partitions = v.array(v.object({ pk: v.string() }));
