import type { BusEntry } from '../../bus-event.ts';
import { parseBusinessGroup } from '../../contract/business/business-group.ts';
import { parseMessageId } from '../../ids.ts';
import { getParticipants } from './conversation-inboxes.ts';
import { getConversationId, toEventId } from './feed-entry.ts';
import type { AppendedEvent } from './publish-to-feeds.ts';

/** Converts appended events to bus events: one per change, however many feeds contain it. */
export async function toBusEvents(appended: readonly AppendedEvent[]): Promise<BusEntry[]> {
  const findParticipants = await getParticipants(
    appended.map(({ entry }) => getConversationId(entry)),
  );
  const entries = appended.map(({ entry, inbox, message, change }): BusEntry => {
    const { id, type, version, at } = entry;
    const conversation_id = getConversationId(entry);
    const participants = findParticipants(conversation_id);
    const { created_by, contact_id = null, group_id = null } = participants ?? {};
    const business_id = parseBusinessGroup(group_id ?? undefined);
    const isForOne = entry.own || type === 'reader.updated';
    return {
      event: {
        id: toEventId(entry, inbox.id),
        type,
        version,
        created_at: at,
        conversation_id,
        ...(parseMessageId(id) && { message_id: id }),
        ...(message && { sender_id: message.sent_by }),
        ...(created_by !== undefined && { created_by }),
        contact_id,
        group_id,
        ...(business_id !== undefined && { business_id }),
        ...(isForOne && { recipient_id: inbox.id }),
      },
      change,
    };
  });
  return [...new Map(entries.map((one) => [one.event.id, one])).values()];
}
