import * as v from 'valibot';
import { createBoundedCache } from '../../bounded-cache.ts';
import type { Inbox } from '../../inbox.ts';
import { getItems } from '../calls/access.ts';
import type { ParticipantFields } from '../conversations/items/participants.ts';
import { conversationKey, parseConversationPartition } from '../keys/keys.ts';
import { tableKey } from '../keys/names.ts';

/** Entries never become stale, because a conversation's participant fields never change. */
const participantsCache = createBoundedCache<ParticipantFields>(20_000);

export const cacheParticipants = (
  conversationId: string,
  { created_by, contact_id, group_id }: ParticipantFields,
): void => participantsCache.set(conversationId, { created_by, contact_id, group_id });

const StoredParticipants = v.object({
  [tableKey.partition]: v.string(),
  created_by: v.optional(v.string()),
  contact_id: v.optional(v.string()),
  group_id: v.optional(v.string()),
});

/**
 * Returns a lookup of conversations' participants. For a deleted conversation that is not cached,
 * the lookup returns `undefined`.
 */
export const getParticipants = (conversationIds: readonly string[]) =>
  participantsCache.lookUp(conversationIds, async (missing) => {
    const items = await getItems(missing.map(conversationKey), {
      attributes: Object.keys(StoredParticipants.entries),
    });
    return items.flatMap((item): [string, ParticipantFields][] => {
      const { pk, created_by, ...others } = v.parse(StoredParticipants, item);
      const id = parseConversationPartition({ pk });
      return id === undefined || created_by === undefined ? [] : [[id, { created_by, ...others }]];
    });
  });

/**
 * Returns the inboxes that contain a conversation: one for its group or creator, and one for the
 * contact, if any.
 */
export function getConversationInboxes({
  created_by,
  contact_id,
  group_id,
}: ParticipantFields): Inbox[] {
  const firstInbox: Inbox =
    group_id === undefined ? { kind: 'contact', id: created_by } : { kind: 'group', id: group_id };
  if (contact_id === undefined || (firstInbox.kind === 'contact' && firstInbox.id === contact_id))
    return [firstInbox];
  return [firstInbox, { kind: 'contact', id: contact_id }];
}
