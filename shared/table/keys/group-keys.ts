import { contactKey, groupHeadKey, type Key, toActivitySortKey } from './keys.ts';
import { groupSort, indexes, membershipSortPrefix } from './names.ts';

/** Returns a user group's key. */
export const groupKey = (groupId: string): Key => ({ ...groupHeadKey(groupId), sk: groupSort });

/** Returns the group id in a partition key; `undefined` for other partitions. */
export const parseGroupPartition = ({ pk }: { pk: string }): string | undefined =>
  pk.startsWith(groupKey('').pk) ? pk.slice(groupKey('').pk.length) : undefined;

/** Returns the key of a membership or, without a group, the prefix of a contact's memberships. */
export const membershipKey = (contactId: string, groupId = ''): Key => ({
  pk: contactKey(contactId).pk,
  sk: `${membershipSortPrefix}${groupId}`,
});

/** Returns the key of a contact's group count. */
export const membershipCountKey = (contactId: string): Key => ({
  pk: contactKey(contactId).pk,
  sk: 'MEMBERSHIPS',
});

/** Returns the gsi1 partition of a group's members. */
export const groupMembersPartition = (groupId: string) => `MEMBERS#${groupId}`;

/** Returns the gsi1 keys of a membership, which sort by time of joining. */
export const toMemberKeys = (groupId: string, { contactId, joinedAt }: MemberPosition) => ({
  [indexes.gsi1.partition]: groupMembersPartition(groupId),
  [indexes.gsi1.sort]: toActivitySortKey(joinedAt, contactId),
});
export interface MemberPosition {
  contactId: string;
  joinedAt: number;
}
