import { createHash } from 'node:crypto';
import type { Caller } from './caller.ts';

/** Whose inbox it is. Events are told by inbox: a contact's own, or a group's, which is that of all its members. */
export interface Inbox {
  kind: 'contact' | 'group';
  id: string;
}

/** The inboxes of a caller: their own first, then one for each group of the token. */
export const ownInboxes = ({ id, groups }: Pick<Caller, 'id' | 'groups'>): Inbox[] => [
  { kind: 'contact', id },
  ...groups.map((group): Inbox => ({ kind: 'group', id: group })),
];

/** The name of an inbox's feed: 40 hexadecimal digits, which do not tell whose it is. A channel's segment takes 50. */
export const feedName = ({ kind, id }: Inbox): string =>
  createHash('sha256').update(`${kind}#${id}`).digest('hex').slice(0, 40);
