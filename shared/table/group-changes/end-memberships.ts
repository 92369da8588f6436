import * as v from 'valibot';
import { clock } from '../../clock.ts';
import { type Item, queryPage, update } from '../calls/access.ts';
import { existsCondition } from '../calls/expressions.ts';
import { groupMembersPartition, membershipKey } from '../keys/group-keys.ts';
import { idAttribute, indexes } from '../keys/names.ts';

const pageSize = 100;

/** Returns a page of contact ids from the index of a group's current and ended memberships. */
export async function queryMembers(
  groupId: string,
  start?: Item,
): Promise<{ contactIds: string[]; next: Item | undefined }> {
  const { items, next } = await queryPage({
    IndexName: 'gsi1',
    KeyConditionExpression: `${indexes.gsi1.partition} = :members`,
    ExpressionAttributeValues: { ':members': groupMembersPartition(groupId) },
    Limit: pageSize,
    ExclusiveStartKey: start,
  });
  return { contactIds: v.parse(Members, items).map(({ contact_id }) => contact_id), next };
}

const Members = v.array(v.object({ contact_id: v.string() }));

/**
 * Ends the memberships that the index lists for a deleted group. For each contact, the update ends
 * access and causes a `group.deleted` event with `version`. Reads no further page after `until`
 * (milliseconds). Returns the number of ended memberships, including those ended earlier.
 * Idempotent.
 */
export async function endMemberships(
  groupId: string,
  version: number,
  until: number,
): Promise<number> {
  let ended = 0;
  let start: Item | undefined;
  do {
    const { contactIds, next } = await queryMembers(groupId, start);
    const ends = contactIds.map((contactId) => endMembership(groupId, contactId, version));
    ended += (await Promise.all(ends)).filter(Boolean).length;
    start = next;
  } while (start && clock.now() < until);
  return ended;
}

/**
 * Ends a membership. Returns false if the membership does not exist. Repeating the update causes no
 * event.
 */
async function endMembership(groupId: string, contactId: string, version: number) {
  const { done } = await update({
    Key: membershipKey(contactId, groupId),
    UpdateExpression: `SET is_group_deleted = :true, group_version = :version REMOVE ${idAttribute}`,
    ConditionExpression: existsCondition,
    ExpressionAttributeValues: { ':true': true, ':version': version },
  });
  return done;
}
