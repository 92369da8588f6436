import { createHash } from 'node:crypto';
import type { Caller } from './caller.ts';

/** Owner of an inbox: a contact, or a group with all its members. Events are published by inbox. */
export interface Inbox {
  kind: 'contact' | 'group';
  id: string;
}

/** Returns the caller's inboxes: their own first, then one per group of the token. */
export const getInboxes = ({ id, groups }: Pick<Caller, 'id' | 'groups'>): Inbox[] => [
  { kind: 'contact', id },
  ...groups.map((group): Inbox => ({ kind: 'group', id: group })),
];

/** Returns the name of an inbox's feed, 40 digits that hide the owner; a channel takes 50. */
export const toFeedName = ({ kind, id }: Inbox): string =>
  createHash('sha256').update(`${kind}#${id}`).digest('hex').slice(0, 40);
