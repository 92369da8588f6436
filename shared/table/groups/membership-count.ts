import { maxGroupsOfPerson } from '../../contract/resources/group.ts';
import { membershipCountKey } from '../keys/group-keys.ts';

/**
 * Returns the update of the number of a contact's memberships, in the transaction that writes one.
 * Adding fails if the contact has the maximum.
 */
export const toMembershipCountUpdate = (contactId: string, change: 1 | -1) => ({
  Key: membershipCountKey(contactId),
  UpdateExpression: 'ADD membership_count :change',
  ...(change === 1 && {
    ConditionExpression: 'attribute_not_exists(membership_count) OR membership_count < :max',
  }),
  ExpressionAttributeValues: {
    ':change': change,
    ...(change === 1 && { ':max': maxGroupsOfPerson }),
  },
});
