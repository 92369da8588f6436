import { conversationSort, settingsSortPrefix } from '../../../shared/table/keys/names.ts';
import { allItems, itemToText } from './person-fixture.ts';

/** By what others' conversations name whoever takes part in them, and where their settings of it say so. */
const inConversation = ['created_by', 'contact_id', 'gsi1pk', 'gsi2pk', 'gsi3pk', 'distinct_pair'];
const inSettings = ['contact_id'];

/**
 * Where the table has the id of somebody who was erased, beside the places that docs/privacy.md tells; what is left to the
 * purge is told as well, unless it is said to come.
 */
export async function findTraces(id: string, { isPurged = true } = {}): Promise<string[]> {
  const items = await allItems();
  const deleted = new Set(
    items.flatMap(({ pk, deleted_at, sk }) =>
      sk === conversationSort && deleted_at !== undefined ? [pk] : [],
    ),
  );
  return items.flatMap((item) => {
    if (!isPurged && deleted.has(item.pk)) return [];
    const named = Object.keys(item).filter((name) => itemToText({ it: item[name] }).includes(id));
    if (named.length === 0) return [];
    const sk = String(item.sk);
    if (item.pk === `FEED#CONTACT#${id}` && isEmptied(item)) return [];
    if (item.pk === `CONTACT#${id}` && sk === 'CONTACT') return facesIn(item, id);
    const allowed =
      sk === conversationSort && !('deleted_at' in item)
        ? inConversation
        : sk.startsWith(settingsSortPrefix)
          ? 'erased_at' in item
            ? ['sk']
            : inSettings
          : [];
    return named.every((name) => allowed.includes(name)) ? [] : [itemToText(item)];
  });
}

/** The places of a feed are known, and nothing of what stood there; and that somebody is to look after it. */
const isEmptied = ({ sk, entries }: Record<string, unknown>): boolean =>
  sk === 'CHECK' || (Array.isArray(entries) && entries.length === 0);

/** What is left of the contact's record, where it is not what an erasure leaves. */
function facesIn(
  { pk, sk, erased_at, erased_through, ...others }: Record<string, unknown>,
  id: string,
): string[] {
  const left = {
    id,
    username: null,
    phone_number: null,
    avatar_url: null,
    last_active_at: 0,
    created_at: 0,
  };
  const sorted = (item: object) => JSON.stringify(Object.entries(item).sort());
  const isTime = typeof erased_through === 'number' || erased_through === undefined;
  const isBare = typeof erased_at === 'number' && isTime && sorted(others) === sorted(left);
  return isBare ? [] : [itemToText({ pk, sk, erased_at, erased_through, ...others })];
}
