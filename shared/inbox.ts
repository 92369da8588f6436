import { createHash } from 'node:crypto';
import type { Caller } from './caller.ts';

/**
 * Owner of an inbox: a contact, or a group with all its members. Events are published per inbox.
 */
export interface Inbox {
  kind: 'contact' | 'group';
  id: string;
}

/** Returns the caller's inboxes: their own first, then one for each of the given groups. */
export const getInboxes = ({ id, groups }: Pick<Caller, 'id' | 'groups'>): Inbox[] => [
  { kind: 'contact', id },
  ...groups.map((group): Inbox => ({ kind: 'group', id: group })),
];

/**
 * Returns the name of an inbox's feed: 40 hexadecimal digits that hide the owner. Channel segments
 * allow 50 characters.
 */
export const toFeedName = ({ kind, id }: Inbox): string =>
  createHash('sha256').update(`${kind}#${id}`).digest('hex').slice(0, 40);
