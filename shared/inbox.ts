import { createHash } from 'node:crypto';
import type { Caller } from './caller.ts';

/** The inbox of a contact, or the inbox that all members of a group share. */
export interface Inbox {
  kind: 'contact' | 'group';
  id: string;
}

/** Returns the caller's own inbox first, then one inbox per group. */
export const getInboxes = ({ id, groups }: Pick<Caller, 'id' | 'groups'>): Inbox[] => [
  { kind: 'contact', id },
  ...groups.map((group): Inbox => ({ kind: 'group', id: group })),
];

/**
 * Returns the name of an inbox's feed: 40 hexadecimal digits that hide the owner. AppSync allows at
 * most 50 characters per segment of a channel name.
 */
export const toFeedName = ({ kind, id }: Inbox): string =>
  createHash('sha256').update(`${kind}#${id}`).digest('hex').slice(0, 40);
