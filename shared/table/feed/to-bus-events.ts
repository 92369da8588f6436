import type { BusEntry } from '../../bus-event.ts';
import { parseBusinessGroup } from '../../contract/business/business-group.ts';
import { parseMessageId } from '../../ids.ts';
import { getParticipants } from './conversation-inboxes.ts';
import { getConversationId, getMemberOf, toEventId } from './feed-entry.ts';
import type { AppendedEvent } from './publish-to-feeds.ts';
import { isOfGroup, isOfMember } from './read-group-states.ts';

/**
 * Converts appended events to bus events, without duplicates across feeds. For a deleted group,
 * uses only the changes to owners' memberships.
 */
export async function toBusEvents(events: readonly AppendedEvent[]): Promise<BusEntry[]> {
  const appended = events.filter(({ isOnBusOtherwise }) => !isOnBusOtherwise);
  const findParticipants = await getParticipants(
    appended.flatMap(({ entry }) => (isOfGroup(entry) ? [] : getConversationId(entry))),
  );
  const entries = appended.map((one): BusEntry => {
    if (isOfGroup(one.entry)) return toGroupEntry(one);
    const { entry, inbox, message, change } = one;
    const { id, type, version, at } = entry;
    const conversation_id = getConversationId(entry);
    const participants = findParticipants(conversation_id);
    const { created_by, contact_id = null, group_id = null } = participants ?? {};
    const business_id = parseBusinessGroup(group_id ?? undefined);
    const hasRecipient = entry.own || type === 'reader.updated';
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
        ...(hasRecipient && { recipient_id: inbox.id }),
      },
      change,
    };
  });
  return [...new Map(entries.map((one) => [one.event.id, one])).values()];
}

const toGroupEntry = ({ entry, inbox, change }: AppendedEvent): BusEntry => ({
  event: {
    id: toEventId(entry, inbox.id),
    type: entry.type,
    version: entry.version,
    created_at: entry.at,
    ...(isOfMember(entry) && { contact_id: getMemberOf({ inbox, entry }) }),
    group_id: entry.id,
  },
  change,
});
