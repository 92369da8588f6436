import type { Caller } from '../../caller.ts';
import { toDeletedReply } from '../../contract/resources/deleted.ts';
import { toMembershipId, toRemovedMember } from '../../contract/resources/event.ts';
import { isUserGroup } from '../../ids.ts';
import { lookUpItems } from '../calls/access.ts';
import { parseGroup, toGroupReply } from '../groups/group-item.ts';
import { type Membership, parseMembership, toMemberReply } from '../groups/membership.ts';
import { groupKey, membershipKey } from '../keys/group-keys.ts';
import type { Key } from '../keys/keys.ts';
import { type EventSource, type EventState, type FeedEntry, getMemberOf } from './feed-entry.ts';

/** Reports whether an entry is about a user group or a member of one. */
export const isOfGroup = ({ id }: FeedEntry): boolean => isUserGroup(id);

/**
 * Reports whether an entry is about a member. A member's event always contains its payload: a
 * contact may leave and rejoin, so an earlier event may have a different payload.
 */
export const isOfMember = ({ type }: FeedEntry): boolean =>
  type === 'group.member_added' || type === 'group.member_removed';

export const toMember = (membership: Membership) => ({
  id: toMembershipId(membership.group_id, membership.contact_id),
  group_id: membership.group_id,
  ...toMemberReply(membership),
});

/**
 * Returns a lookup of the current states of groups and members that the caller may see. A former
 * member sees only the group's deletion and changes to their own membership. The removal of a
 * member who has rejoined has no state, because a later addition follows.
 */
export async function readGroupStates(
  caller: Caller,
  sources: readonly EventSource[],
): Promise<(source: EventSource) => EventState | undefined> {
  const findItem = await lookUpItems(sources.flatMap((source) => toKey(source) ?? []));
  const toMemberState = (source: EventSource): EventState | undefined => {
    const { id, type, version } = source.entry;
    const member = parseMembership(findItem(toMemberKey(source)));
    const isAdded = type === 'group.member_added';
    if (member)
      return isAdded ? { version: member.joined_at, member: toMember(member) } : undefined;
    const removed = toRemovedMember(id, getMemberOf(source));
    // A removal's version follows the version of the addition.
    return { version: isAdded ? version + 1 : version, member: removed };
  };
  return (source) => {
    const { id, type, version, own } = source.entry;
    if (type === 'group.deleted') return { version };
    if (!own && !caller.groups.includes(id)) return undefined;
    if (isOfMember(source.entry)) return toMemberState(source);
    const group = parseGroup(findItem(groupKey(id)));
    return group
      ? { version: group.version, group: toGroupReply(group) }
      : { version, group: toDeletedReply(id) };
  };
}

const toMemberKey = (source: EventSource): Key =>
  membershipKey(getMemberOf(source), source.entry.id);

function toKey(source: EventSource): Key | undefined {
  if (source.entry.type === 'group.deleted') return undefined;
  return isOfMember(source.entry) ? toMemberKey(source) : groupKey(source.entry.id);
}
