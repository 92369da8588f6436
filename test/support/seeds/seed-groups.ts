import { clock } from '../../../shared/clock.ts';
import { update } from '../../../shared/table/calls/access.ts';
import { toErasureUpdate } from '../../../shared/table/erased-contact.ts';
import { groupKey, membershipCountKey } from '../../../shared/table/keys/group-keys.ts';

export const setGroupCount = (contactId: string, count: number) =>
  update({
    Key: membershipCountKey(contactId),
    UpdateExpression: 'SET group_count = :count',
    ExpressionAttributeValues: { ':count': count },
  });

export const setMemberCount = (groupId: string, count: number) =>
  update({
    Key: groupKey(groupId),
    UpdateExpression: 'SET member_count = :count',
    ExpressionAttributeValues: { ':count': count },
  });

export const eraseContact = (contactId: string) => update(toErasureUpdate(contactId, clock.now()));
