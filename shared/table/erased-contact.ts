import { contactKey } from './keys/keys.ts';
import { erasureAttribute, erasureEndAttribute } from './keys/names.ts';

/** Condition: the contact is not erased. */
export const notErasedCondition = `attribute_not_exists(${erasureAttribute})`;

/**
 * Returns the update that erases a contact for good: later claims of that id are not stored. Safe
 * to repeat. Keeps the other attributes, emptied, so that code deployed before this feature, or
 * after a rollback, can read the item.
 */
export const toErasureUpdate = (id: string, now: number) => ({
  Key: contactKey(id),
  UpdateExpression: `SET ${erasureAttribute} = if_not_exists(${erasureAttribute}, :now), id = :id,
    username = :none, phone_number = :none, avatar_url = :none, last_active_at = :zero, created_at = :zero REMOVE groups`,
  ExpressionAttributeValues: { ':id': id, ':now': now, ':none': null, ':zero': 0 },
});

/**
 * Returns the update that records, on an erased contact, that no data of theirs older than
 * `through` remains in the table. A restored table from before that time must be erased again.
 */
export const toErasureEndUpdate = (id: string, through: number) => ({
  Key: contactKey(id),
  UpdateExpression: `SET ${erasureEndAttribute} = :through`,
  ConditionExpression: `attribute_exists(${erasureAttribute})`,
  ExpressionAttributeValues: { ':through': through },
});
