import { businessGroupPrefix } from '../schema/field-types.ts';

/** Returns the id of the group whose members are the staff of a business. */
export const toBusinessGroup = (publicId: string): string => `${businessGroupPrefix}${publicId}`;

/** Returns the public id of the business whose staff is the group; `undefined` for other groups. */
export const parseBusinessGroup = (groupId = ''): string | undefined =>
  groupId.startsWith(businessGroupPrefix) ? groupId.slice(businessGroupPrefix.length) : undefined;
