import { queryPage } from '../calls/access.ts';
import {
  groupMembersPartition,
  type MemberPosition,
  membershipKey,
  toMemberKeys,
} from '../keys/group-keys.ts';
import { indexes } from '../keys/names.ts';
import { type Membership, parseMembership } from './membership.ts';

export interface MemberRange {
  start: MemberPosition | undefined;
  backwards: boolean;
  count: number;
}

/**
 * Returns up to `count` members of a group after `start`, in order of joining or, if `backwards`,
 * in reverse order. The list may lag by about a second.
 */
export async function listMembers(
  groupId: string,
  { start, backwards, count }: MemberRange,
): Promise<Membership[]> {
  const { items } = await queryPage({
    IndexName: 'gsi1',
    KeyConditionExpression: `${indexes.gsi1.partition} = :members`,
    ExpressionAttributeValues: { ':members': groupMembersPartition(groupId) },
    ScanIndexForward: !backwards,
    Limit: count,
    ...(start && {
      ExclusiveStartKey: {
        ...membershipKey(start.contactId, groupId),
        ...toMemberKeys(groupId, start),
      },
    }),
  });
  return items.map(parseMembership).filter((membership) => membership !== undefined);
}
