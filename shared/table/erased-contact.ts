import { contactKey } from './keys/keys.ts';
import { erasureAttribute, erasureEndAttribute } from './keys/names.ts';

/** As a condition on a contact's item: nobody has asked for it to be forgotten. */
export const isNotErased = `attribute_not_exists(${erasureAttribute})`;

/**
 * Leaves of a contact that there is nothing to know of them, for good: whatever a token of that id
 * says later is not stored any more. To do it again changes nothing. The other attributes are there
 * for code that knows nothing of it, which takes it for a contact without a face: that of before a
 * deployment, and after a way back.
 */
export const toErasureUpdate = (id: string, now: number) => ({
  Key: contactKey(id),
  UpdateExpression: `SET ${erasureAttribute} = if_not_exists(${erasureAttribute}, :now), id = :id,
    username = :none, phone_number = :none, avatar_url = :none, last_active_at = :zero, created_at = :zero REMOVE groups`,
  ExpressionAttributeValues: { ':id': id, ':now': now, ':none': null, ':zero': 0 },
});

/**
 * Notes of whoever was erased that nothing of theirs is left of what was there at `through`: by
 * that an earlier state of the table is known to have them still. Only where they are erased still,
 * as nothing else is known of the item.
 */
export const toErasureEndUpdate = (id: string, through: number) => ({
  Key: contactKey(id),
  UpdateExpression: `SET ${erasureEndAttribute} = :through`,
  ConditionExpression: `attribute_exists(${erasureAttribute})`,
  ExpressionAttributeValues: { ':through': through },
});
