import { createHash } from 'node:crypto';
import type { Caller } from './caller.ts';

/**
 * Inbox of a contact, or inbox that all members of a group share. Events are published per inbox.
 */
export interface Inbox {
  kind: 'contact' | 'group';
  id: string;
}

/** Returns the inboxes of a caller: the caller's own first, then one per group. */
export const getInboxes = ({ id, groups }: Pick<Caller, 'id' | 'groups'>): Inbox[] => [
  { kind: 'contact', id },
  ...groups.map((group): Inbox => ({ kind: 'group', id: group })),
];

/**
 * Returns the name of an inbox's feed: 40 hexadecimal digits that hide the owner. Segments of
 * AppSync channel names allow 50 characters.
 */
export const toFeedName = ({ kind, id }: Inbox): string =>
  createHash('sha256').update(`${kind}#${id}`).digest('hex').slice(0, 40);
