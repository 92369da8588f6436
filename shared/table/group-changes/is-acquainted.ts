import type { Caller } from '../../caller.ts';
import { getItems } from '../calls/access.ts';
import { parseVisibleConversation } from '../conversations/items/conversation-item.ts';
import type { ContactWithGroups } from '../conversations/items/participants.ts';
import { findDirectConversationIds } from '../conversations/query/find-by-contact.ts';
import { listMemberships } from '../groups/list-memberships.ts';
import type { Membership } from '../groups/membership.ts';
import { conversationKey } from '../keys/keys.ts';

/**
 * Maximum number of index entries to read. Reading several entries costs the same as reading one,
 * and is necessary if the first conversations were just deleted.
 */
const limit = 5;

/**
 * Reports whether the caller and the contact share a group or a direct conversation. `other.groups`
 * are the groups in the contact's token. Makes at most four table calls.
 */
export async function isAcquainted(
  caller: Caller,
  other: ContactWithGroups,
  listOwn: () => Promise<Membership[]>,
): Promise<boolean> {
  if (other.groups.some((group) => caller.groups.includes(group))) return true;
  return (await shareConversation(caller, other.id)) || shareUserGroup(other.id, listOwn);
}

async function shareConversation(caller: Caller, otherId: string): Promise<boolean> {
  const ids = await findDirectConversationIds(caller.id, otherId, { limit });
  if (ids.length === 0) return false;
  const items = await getItems(ids.map(conversationKey));
  return items.some((item) => parseVisibleConversation(caller, item) !== undefined);
}

async function shareUserGroup(
  otherId: string,
  listOwn: () => Promise<Membership[]>,
): Promise<boolean> {
  const [own, ofOther] = await Promise.all([listOwn(), listMemberships(otherId)]);
  const groups = new Set(own.map(({ group_id }) => group_id));
  return ofOther.some(({ group_id }) => groups.has(group_id));
}
