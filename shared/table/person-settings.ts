import * as v from 'valibot';
import type { Caller } from '../caller.ts';
import {
  groupSources,
  type PersonSettings,
  type UpdatePersonSettings,
} from '../contract/resources/person-settings.ts';
import { getItem, getItems, type Item, update } from './calls/access.ts';
import { toAssignment } from './calls/expressions.ts';
import { erasedContact, notErasedCondition } from './erased-contact.ts';
import { contactKey } from './keys/keys.ts';

const StoredSettings = v.object({
  share_read_receipts: v.optional(v.boolean(), true),
  accept_groups_from: v.optional(v.picklist(groupSources), 'everyone'),
});

export const parsePersonSettings = (item: Item | undefined): PersonSettings =>
  v.parse(StoredSettings, item ?? {});

export const getPersonSettings = async (id: string): Promise<PersonSettings> =>
  parsePersonSettings(await getItem(contactKey(id)));

/**
 * Stores settings of an existing contact, and returns all settings. Throws `not_allowed` for an
 * erased contact.
 */
export async function storePersonSettings(
  { id }: Caller,
  settings: UpdatePersonSettings,
): Promise<PersonSettings> {
  const notErased = { ConditionExpression: notErasedCondition };
  const written = await update({
    Key: contactKey(id),
    ...toAssignment({ ...settings }, notErased),
    ReturnValues: 'ALL_NEW',
  });
  if (!written.done) throw erasedContact();
  return parsePersonSettings(written.item);
}

const StoredContact = v.object({ id: v.string() });

/**
 * Returns the ids of the given contacts who hide their read receipts. Uses eventually consistent
 * reads of up to 100 contacts per table call.
 */
export async function findHidingContacts(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const items = await getItems(ids.map(contactKey), {
    consistent: false,
    attributes: ['id', 'share_read_receipts'],
  });
  return new Set(
    items
      .filter((item) => !parsePersonSettings(item).share_read_receipts)
      .map((item) => v.parse(StoredContact, item).id),
  );
}
