import * as v from 'valibot';
import type { Caller } from '../caller.ts';
import { clock, toSeconds } from '../clock.ts';
import type { Contact } from '../contract/contact.ts';
import { getItems, type Item, update } from './calls/access.ts';
import { contactKey } from './keys/keys.ts';

/** What is known of a contact. Times are in milliseconds. */
const ContactItem = v.object({
  id: v.string(),
  username: v.nullable(v.string()),
  phone_number: v.nullable(v.string()),
  avatar_url: v.nullable(v.string()),
  last_active_at: v.number(),
  created_at: v.number(),
});

interface Remembered {
  contact: Contact;
  /** When it was read or written, in milliseconds. */
  at: number;
}

const readingCountsFor = 30_000;
const touchCountsFor = 60_000;
/** Beyond it the oldest memory goes first: an environment may live for hours. */
const mostRemembered = 1000;

const read = new Map<string, Remembered>();
const touched = new Map<string, Remembered>();

/**
 * Stores or refreshes the caller's contact from the token, and gives it. Whoever writes calls it, beside their own
 * calls; the table is asked at most once a minute an environment, unless the token says something new.
 */
export async function touchContact({ id, groups: _, ...profile }: Caller): Promise<Contact> {
  const now = clock.now();
  const memory = touched.get(id);
  if (memory && now - memory.at < touchCountsFor && saysTheSame(memory.contact, profile)) {
    return memory.contact;
  }
  const written = await update({
    Key: contactKey(id),
    UpdateExpression: `SET id = :id, username = :username, phone_number = :phone_number, avatar_url = :avatar_url,
      last_active_at = :now, created_at = if_not_exists(created_at, :now)`,
    ExpressionAttributeValues: {
      ':id': id,
      ':username': profile.username,
      ':phone_number': profile.phone_number,
      ':avatar_url': profile.avatar_url,
      ':now': now,
    },
    ReturnValues: 'ALL_NEW',
  });
  const contact = toContact(written.done ? written.item : undefined);
  remember(touched, { contact, at: now });
  remember(read, { contact, at: now });
  return contact;
}

const saysTheSame = (contact: Contact, profile: Omit<Caller, 'id' | 'groups'>) =>
  contact.username === profile.username &&
  contact.phone_number === profile.phone_number &&
  contact.avatar_url === profile.avatar_url;

/** Looks up the contacts of the given ids, as they are now or were within half a minute. */
export async function getContacts(ids: string[]): Promise<(id: string) => Contact> {
  const now = clock.now();
  const fresh = (id: string) => {
    const memory = read.get(id);
    return memory && now - memory.at < readingCountsFor ? memory.contact : undefined;
  };
  const unknown = [...new Set(ids)].filter((id) => !fresh(id));
  const items = await getItems(unknown.map(contactKey), { consistent: false });
  const found = new Map(items.map(toContact).map((contact) => [contact.id, contact]));
  for (const id of unknown) remember(read, { contact: found.get(id) ?? strangerOf(id), at: now });
  const contacts = new Map(ids.map((id) => [id, read.get(id)?.contact]));
  return (id) => contacts.get(id) ?? strangerOf(id);
}

export const getContact = async (id: string): Promise<Contact> => (await getContacts([id]))(id);

function remember(memories: Map<string, Remembered>, memory: Remembered): void {
  memories.delete(memory.contact.id);
  memories.set(memory.contact.id, memory);
  const [oldest] = memories.keys();
  if (memories.size > mostRemembered && oldest !== undefined) memories.delete(oldest);
}

function toContact(item: Item | undefined): Contact {
  const { last_active_at, created_at, ...profile } = v.parse(ContactItem, item);
  return {
    ...profile,
    last_active_at: toSeconds(last_active_at),
    created_at: toSeconds(created_at),
  };
}

/** Somebody who has never written here: only the id is known. */
const strangerOf = (id: string): Contact => ({
  id,
  username: null,
  phone_number: null,
  avatar_url: null,
  last_active_at: null,
  created_at: null,
});
