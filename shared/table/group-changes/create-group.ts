import type { Caller } from '../../caller.ts';
import { lookUpItems, transact, type Write } from '../calls/access.ts';
import { retryUntilDone } from '../calls/retry-until-done.ts';
import { type GroupItem, getGroupViews } from '../groups/group-item.ts';
import { toCountsUpdate, toJoinedAt, toMembershipCheck } from '../groups/group-writes.ts';
import { groupKey, membershipKey } from '../keys/group-keys.ts';
import { readCandidates, requireAddable, toAddition, writesPerCandidate } from './candidates.ts';

/** Number of writes for the group, its owner and the idempotency record. */
const otherWrites = 5;
/** Number of members per transaction, which may contain at most 100 writes. */
const batchSize = Math.floor((100 - otherWrites) / writesPerCandidate);

/** Members to add to a new group, without duplicates and excluding the owner. */
export interface NewMembers {
  ids: readonly string[];
  toParam: (contactId: string) => string;
}

/**
 * Stores a group with its owner and first members in one transaction, which `commit` runs. If a
 * contact cannot be added, throws `not_addable` or `groups_exceeded` and writes nothing.
 */
export const storeGroup = (
  group: GroupItem,
  caller: Caller,
  { ids, toParam }: NewMembers,
  commit: (writes: Write[]) => Promise<boolean>,
): Promise<true> =>
  retryUntilDone(async () => {
    const [owner, ...members] = await readCandidates(caller, [caller.id, ...ids]);
    if (!owner) throw new Error('readCandidates returned no candidate for the caller.');
    requireAddable(owner);
    for (const member of members) requireAddable(member, toParam(member.contactId));
    const first = members.slice(0, batchSize);
    const stored = {
      ...group,
      member_count: 1 + first.length,
      ...(members.length > first.length && { next_member: first.length }),
    };
    const joinedAt = group.created_at;
    const done = await commit([
      { put: { ...groupKey(group.id), ...stored } },
      ...toAddition(owner, group.id, { role: 'owner', joinedAt }),
      ...first.flatMap((one) => toAddition(one, group.id, { role: 'member', joinedAt })),
    ]);
    return done || undefined;
  });

/**
 * Adds the members that did not fit in the first transaction. Skips contacts that are already
 * members or can no longer be added. Stops if the caller no longer administers the group. Safe for
 * concurrent duplicates of the request.
 */
export async function addRemainingMembers(
  groupId: string,
  caller: Caller,
  ids: readonly string[],
): Promise<void> {
  let isComplete = ids.length <= batchSize;
  while (!isComplete) isComplete = await retryUntilDone(() => addNext(groupId, caller, ids));
}

/**
 * Adds the next batch of members. Returns true if all members were added or the caller no longer
 * administers the group, false if members remain, and `undefined` if the group has changed.
 */
async function addNext(
  groupId: string,
  caller: Caller,
  ids: readonly string[],
): Promise<boolean | undefined> {
  const { own } = await getGroupViews(groupId, caller.id);
  const next = own?.group.next_member;
  if (!own || next === undefined || own.membership.role === 'member') return true;
  const end = Math.min(next + batchSize, ids.length);
  const toKey = (contactId: string) => membershipKey(contactId, groupId);
  const remaining = ids.slice(next, end);
  const findItem = await lookUpItems(remaining.map(toKey));
  const candidates = await readCandidates(
    caller,
    remaining.filter((id) => !findItem(toKey(id))),
  );
  const addable = candidates.filter(({ refusal }) => !refusal);
  const joinedAt = toJoinedAt(own.group);
  const progress = { next, end, isLast: end >= ids.length };
  const { done } = await transact([
    { update: toCountsUpdate(groupId, { members: addable.length, joinedAt, progress }) },
    toMembershipCheck(own.membership),
    ...addable.flatMap((one) => toAddition(one, groupId, { role: 'member', joinedAt })),
  ]);
  return done ? progress.isLast : undefined;
}
