import { clock } from '../../clock.ts';
import {
  type GroupRole,
  maxGroupMembers,
  maxGroupsOfPerson,
} from '../../contract/resources/group.ts';
import { toMembershipId } from '../../contract/resources/group-event.ts';
import type { TransactedUpdate, Write } from '../calls/access.ts';
import { existsCondition, toUnchangedCondition } from '../calls/expressions.ts';
import { groupKey, membershipCountKey, membershipKey, toMemberKeys } from '../keys/group-keys.ts';
import { deletionAttribute, sharedChangeAttribute } from '../keys/names.ts';
import type { GroupItem } from './group-item.ts';
import type { Membership } from './membership.ts';

/** Condition that a group exists and is not deleted. */
export const groupExistsCondition = `${existsCondition} AND attribute_not_exists(${deletionAttribute})`;

/** Returns 1 for an owner, otherwise 0. */
export const countOwner = (role: GroupRole): 0 | 1 => (role === 'owner' ? 1 : 0);

/**
 * Returns a new member's joining time in milliseconds, at least 2 ms after every earlier one. The
 * joining time is the version of the addition, and the joining time plus 1 is the version of the
 * removal. Therefore, versions increase even if the contact is added again.
 */
export const toJoinedAt = ({ newest_joined_at }: GroupItem): number =>
  Math.max(clock.now(), newest_joined_at + 2);

export interface CountsChange {
  members?: number;
  owners?: number;
  /** Time when the added members join (milliseconds). */
  joinedAt?: number;
  /** Progress of the creating request, if it adds members. */
  progress?: Progress;
}

export interface Progress {
  /** Index of the first contact not yet added: `next` before the update, `end` after it. */
  next: number;
  end: number;
  isLast: boolean;
}

/**
 * Returns the update of a group's counts. Requires that the group exists, has room and retains an
 * owner. If `joinedAt` is set, also requires that no member has joined since that time was chosen.
 * If `progress` is set, also requires that no concurrent duplicate has added the contacts. Without
 * `members` and `joinedAt`, the update is a role change.
 */
export function toCountsUpdate(
  groupId: string,
  { members = 0, owners = 0, joinedAt, progress }: CountsChange,
): TransactedUpdate {
  const [grows, losesOwner] = [members > 0, owners < 0];
  const isOfRole = members === 0 && joinedAt === undefined;
  const sets = [
    ...(isOfRole ? [`${sharedChangeAttribute} = :true`] : []),
    ...(joinedAt === undefined ? [] : ['newest_joined_at = :joined_at']),
    ...(progress && !progress.isLast ? ['next_member = :end'] : []),
  ];
  const removes = [
    ...(isOfRole ? [] : [sharedChangeAttribute]),
    ...(progress?.isLast ? ['next_member'] : []),
  ];
  return {
    Key: groupKey(groupId),
    UpdateExpression: [
      ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
      ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
      'ADD member_count :members, owner_count :owners, version :one',
    ].join(' '),
    ConditionExpression: [
      groupExistsCondition,
      ...(grows ? ['member_count <= :free'] : []),
      ...(losesOwner ? ['owner_count > :one'] : []),
      ...(joinedAt === undefined ? [] : ['newest_joined_at < :before_joined']),
      ...(progress ? ['next_member = :next'] : []),
    ].join(' AND '),
    ExpressionAttributeValues: {
      ':members': members,
      ':owners': owners,
      ':one': 1,
      ...(grows && { ':free': maxGroupMembers - members }),
      ...(isOfRole && { ':true': true }),
      ...(joinedAt !== undefined && { ':joined_at': joinedAt, ':before_joined': joinedAt - 1 }),
      ...(progress && { ':next': progress.next }),
      ...(progress && !progress.isLast && { ':end': progress.end }),
    },
  };
}

/** Returns the condition that the group fields shown in replies are unchanged since the read. */
export function toGroupCondition(group: GroupItem) {
  const unchanged = toUnchangedCondition(group, ['updated_at', 'member_count']);
  return {
    ...unchanged,
    ConditionExpression: `${groupExistsCondition} AND ${unchanged.ConditionExpression}`,
  };
}

/** Returns the writes that store a membership and increment the contact's group count. */
export const toMembershipWrites = (membership: Membership): Write[] => [
  { put: toStoredMembership(membership) },
  { update: toGroupCountUpdate(membership.contact_id, 1) },
];

export const toStoredMembership = (membership: Membership) => ({
  ...membershipKey(membership.contact_id, membership.group_id),
  ...membership,
  id: toMembershipId(membership.group_id, membership.contact_id),
  ...toMemberKeys(membership.group_id, {
    contactId: membership.contact_id,
    joinedAt: membership.joined_at,
  }),
});

/** Returns the writes that remove an unchanged membership and decrement the group count. */
export const toMembershipRemoval = (membership: Membership): Write[] => [
  {
    remove: membershipKey(membership.contact_id, membership.group_id),
    condition: toMembershipCondition(membership),
  },
  { update: toGroupCountUpdate(membership.contact_id, -1) },
];

/** Returns the check that a membership is unchanged. */
export const toMembershipCheck = (membership: Membership): Write => ({
  check: {
    Key: membershipKey(membership.contact_id, membership.group_id),
    ...toMembershipCondition(membership),
  },
});

/** Returns the update that sets a member's role. The update fails if the membership has changed. */
export function toRoleUpdate(membership: Membership, role: GroupRole): Write {
  const unchanged = toMembershipCondition(membership);
  return {
    update: {
      Key: membershipKey(membership.contact_id, membership.group_id),
      UpdateExpression: 'SET #role = :new_role',
      ...unchanged,
      ExpressionAttributeValues: { ...unchanged.ExpressionAttributeValues, ':new_role': role },
    },
  };
}

/**
 * Returns the condition that a membership is unchanged. Compares `joined_at`, which differs if the
 * contact was removed and added again.
 */
const toMembershipCondition = ({ role, joined_at }: Membership) => ({
  ConditionExpression:
    '#role = :role AND joined_at = :joined_at AND attribute_not_exists(is_group_deleted)',
  // `role` is a reserved word in DynamoDB.
  ExpressionAttributeNames: { '#role': 'role' },
  ExpressionAttributeValues: { ':role': role, ':joined_at': joined_at },
});

/**
 * Returns the update of a contact's group count. An increment fails if the count is at its maximum.
 */
export const toGroupCountUpdate = (contactId: string, change: 1 | -1): TransactedUpdate => ({
  Key: membershipCountKey(contactId),
  UpdateExpression: 'ADD group_count :change',
  ExpressionAttributeValues: {
    ':change': change,
    ...(change > 0 && { ':max': maxGroupsOfPerson }),
  },
  ...(change > 0 && {
    ConditionExpression: 'attribute_not_exists(group_count) OR group_count < :max',
  }),
});
