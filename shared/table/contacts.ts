import * as v from 'valibot';
import { createBoundedCache } from '../bounded-cache.ts';
import type { Caller } from '../caller.ts';
import { clock, toSeconds } from '../clock.ts';
import type { Contact } from '../contract/resources/contact.ts';
import { isUserGroup } from '../ids.ts';
import { callerCacheSeconds, contactCacheSeconds } from '../retention.ts';
import { getItems, type Item, update } from './calls/access.ts';
import { erasedContact, notErasedCondition } from './erased-contact.ts';
import { contactKey } from './keys/keys.ts';
import { erasureAttribute } from './keys/names.ts';

/** A stored contact. Timestamps are in milliseconds. */
const ContactItem = v.object({
  id: v.string(),
  username: v.nullable(v.string()),
  phone_number: v.nullable(v.string()),
  avatar_url: v.nullable(v.string()),
  last_active_at: v.number(),
  created_at: v.number(),
  /** Sorted groups from the token of the last request that stored groups. Excludes user groups. */
  groups: v.optional(v.array(v.string()), []),
  /** Time of the erasure. Replies show only the id of an erased contact. */
  [erasureAttribute]: v.optional(v.number()),
});

export interface Profile {
  contact: Contact;
  groups: readonly string[];
}

interface StoredContact extends Profile {
  isErased: boolean;
}

const maxCached = 1000;

const readContacts = createBoundedCache<Profile>(maxCached, contactCacheSeconds * 1000);
const touchedContacts = createBoundedCache<StoredContact>(maxCached, callerCacheSeconds * 1000);

/** Throws `not_allowed` if this environment has read the caller's erasure in the last minute. */
export const requireNotErased = ({ id }: Caller): void => requireActive(touchedContacts.get(id));

/**
 * Stores the caller's contact from the token and returns it. Writes about once a minute per caller
 * and environment, and whenever the claims change. Throws `not_allowed` for an erased contact. Call
 * this after the access check and before storing any of the caller's data.
 */
export async function touchContact(caller: Caller): Promise<Contact> {
  const cached = touchedContacts.get(caller.id);
  const isCurrent = cached && (cached.isErased || hasSameClaims(cached, caller));
  const stored = isCurrent ? cached : await storeContact(caller);
  requireActive(stored);
  return stored.contact;
}

function requireActive(stored: StoredContact | undefined): void {
  if (stored?.isErased) throw erasedContact();
}

async function storeContact(caller: Caller): Promise<StoredContact> {
  const { id, ...profile } = caller;
  const now = clock.now();
  const written = await update({
    Key: contactKey(id),
    UpdateExpression: `SET id = :id, username = :username, phone_number = :phone_number, avatar_url = :avatar_url,
      groups = :groups, last_active_at = :now, created_at = if_not_exists(created_at, :now)`,
    ConditionExpression: notErasedCondition,
    ExpressionAttributeValues: {
      ':id': id,
      ':username': profile.username,
      ':phone_number': profile.phone_number,
      ':avatar_url': profile.avatar_url,
      ':groups': getTokenGroups(caller),
      ':now': now,
    },
    ReturnValues: 'ALL_NEW',
  });
  const stored = toProfile(written.done ? written.item : written.found);
  touchedContacts.set(id, stored, now);
  readContacts.set(id, stored, now);
  return stored;
}

const hasSameClaims = ({ contact, groups }: StoredContact, caller: Caller) =>
  contact.username === caller.username &&
  contact.phone_number === caller.phone_number &&
  contact.avatar_url === caller.avatar_url &&
  JSON.stringify(groups) === JSON.stringify(getTokenGroups(caller));

/** Omits user groups, because the table stores their memberships. */
const getTokenGroups = ({ groups }: Caller): string[] =>
  groups.filter((group) => !isUserGroup(group)).toSorted();

export async function getContacts(ids: string[]): Promise<(id: string) => Contact> {
  const find = await readContacts.lookUp(ids, async (missing) => {
    const items = await getItems(missing.map(contactKey), { consistent: false });
    const found = new Map(items.map(toProfile).map((profile) => [profile.contact.id, profile]));
    return missing.map((id) => [id, found.get(id) ?? toUnknownContact(id)]);
  });
  return (id) => (find(id) ?? toUnknownContact(id)).contact;
}

export const getContact = async (id: string): Promise<Contact> => (await getContacts([id]))(id);

/**
 * Reads a profile without the cache, because the cache's response times would reveal other callers'
 * requests.
 */
export async function getProfile(id: string): Promise<Profile> {
  const [item] = await getItems([contactKey(id)], { consistent: false });
  return item ? toProfile(item) : toUnknownContact(id);
}

/** Parses a stored contact, without its settings. */
export function toProfile(item: Item | undefined): StoredContact {
  const { last_active_at, created_at, groups, erased_at, ...claims } = v.parse(ContactItem, item);
  if (erased_at !== undefined) return { ...toUnknownContact(claims.id), isErased: true };
  const times = { last_active_at: toSeconds(last_active_at), created_at: toSeconds(created_at) };
  return { contact: { ...claims, ...times }, groups, isErased: false };
}

const toUnknownContact = (id: string): Profile => ({
  contact: {
    id,
    username: null,
    phone_number: null,
    avatar_url: null,
    last_active_at: null,
    created_at: null,
  },
  groups: [],
});
