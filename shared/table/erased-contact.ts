import { ApiError } from '../api-error.ts';
import { toSeconds } from '../clock.ts';
import { erasedSettingsSeconds } from '../retention.ts';
import { contactKey, type Key } from './keys/keys.ts';
import { erasureAttribute, erasureEndAttribute, expiryAttribute } from './keys/names.ts';

export const erasedContact = () =>
  new ApiError('not_allowed', { message: 'The caller was erased and can no longer write.' });

export const notErasedCondition = `attribute_not_exists(${erasureAttribute})`;

/**
 * Returns the update that permanently erases a contact. Earlier code versions can parse the updated
 * item. Safe to repeat.
 */
export const toErasureUpdate = (id: string, now: number) => ({
  Key: contactKey(id),
  UpdateExpression: `SET ${erasureAttribute} = if_not_exists(${erasureAttribute}, :now), id = :id,
    username = :none, phone_number = :none, avatar_url = :none, last_active_at = :zero, created_at = :zero REMOVE groups, share_read_receipts, accept_groups_from`,
  ExpressionAttributeValues: { ':id': id, ':now': now, ':none': null, ':zero': 0 },
});

/**
 * Returns the update that marks the erasure of a contact as complete: no data from before `through`
 * (milliseconds) remains.
 */
export const toErasureEndUpdate = (id: string, through: number) => ({
  Key: contactKey(id),
  UpdateExpression: `SET ${erasureEndAttribute} = :through`,
  ConditionExpression: `attribute_exists(${erasureAttribute})`,
  ExpressionAttributeValues: { ':through': through },
});

/** Returns the item that replaces an erased contact's settings and prevents new settings. */
export const toErasedSettings = (key: Key, now: number) => ({
  ...key,
  [erasureAttribute]: now,
  [expiryAttribute]: toSeconds(now) + erasedSettingsSeconds,
});
