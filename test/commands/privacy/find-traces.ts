import {
  conversationSort,
  pairBlocksSort,
  reportSortPrefix,
  settingsSortPrefix,
} from '../../../shared/table/keys/names.ts';
import { allItems, itemToText } from './person-fixture.ts';

/** Attributes of conversations that may contain the person's id. */
const allowedInConversations = [
  'created_by',
  'contact_id',
  'gsi1pk',
  'gsi2pk',
  'gsi3pk',
  'distinct_pair',
];
const allowedInSettings = ['contact_id'];
const allowedInReports = ['sk', 'subject_id', 'copy'];

/**
 * Returns, as text, the items that contain an erased person's id outside the places that
 * docs/privacy.md lists. If `isPurged` is false, ignores deleted conversations, which the purge
 * removes later.
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
    // Other users' blocks of the person remain.
    if (sk === pairBlocksSort || 'blocked_id' in item) return [];
    if (item.pk === `CONTACT#${id}` && sk === 'CONTACT') return findProfile(item, id);
    const allowed = sk.startsWith(reportSortPrefix)
      ? allowedInReports
      : sk === conversationSort && !('deleted_at' in item)
        ? allowedInConversations
        : sk.startsWith(settingsSortPrefix)
          ? 'erased_at' in item
            ? ['sk']
            : allowedInSettings
          : [];
    return named.every((name) => allowed.includes(name)) ? [] : [itemToText(item)];
  });
}

/**
 * Reports whether an item is an emptied chunk, which keeps its sequence numbers, or the feed's
 * maintenance item.
 */
const isEmptied = ({ sk, entries }: Record<string, unknown>): boolean =>
  sk === 'CHECK' || (Array.isArray(entries) && entries.length === 0);

/** Returns the contact's item as text if it contains more than an erasure retains. */
function findProfile(
  { pk, sk, erased_at, erased_through, ...others }: Record<string, unknown>,
  id: string,
): string[] {
  const emptyContact = {
    id,
    username: null,
    phone_number: null,
    avatar_url: null,
    last_active_at: 0,
    created_at: 0,
  };
  const sorted = (item: object) => JSON.stringify(Object.entries(item).sort());
  const isTime = typeof erased_through === 'number' || erased_through === undefined;
  const isBare = typeof erased_at === 'number' && isTime && sorted(others) === sorted(emptyContact);
  return isBare ? [] : [itemToText({ pk, sk, erased_at, erased_through, ...others })];
}
