import { toDeletedReply } from '../../contract/resources/deleted.ts';
import { type Event, toDeletedMessage } from '../../contract/resources/event.ts';
import { parseMessageId } from '../../ids.ts';
import { type Inbox, toFeedName } from '../../inbox.ts';
import { getContacts } from '../contacts.ts';
import { toMessageReply } from '../messages/log/message-item.ts';
import { toEventId } from './feed-entry.ts';
import type { AppendedEvent } from './publish-to-feeds.ts';

export interface InboxEvents {
  inbox: Inbox;
  events: Event[];
}

/** Converts changes to push events. Conversations have no payload: each member's view differs. */
export async function toPushEvents(appended: readonly AppendedEvent[]): Promise<InboxEvents[]> {
  const getContact = await getContacts(appended.flatMap(({ message }) => message?.sent_by ?? []));
  const byFeed = Map.groupBy(appended, ({ inbox }) => toFeedName(inbox));
  return [...byFeed].flatMap(([feed, appendedToInbox]): InboxEvents[] => {
    const inbox = appendedToInbox[0]?.inbox;
    if (!inbox) return [];
    const events = appendedToInbox
      .toSorted((one, other) => one.sequence - other.sequence)
      .map(
        ({ entry, sequence, message }): Event => ({
          id: toEventId(entry, inbox.id),
          type: entry.type,
          created_at: entry.at,
          version: entry.version,
          feed,
          place: sequence,
          payload: message
            ? toMessageReply(getContact(message.sent_by), message)
            : toDeletedPayload(entry),
        }),
      );
    return [{ inbox, events }];
  });
}

/** Returns the payload of an event without a message: the deletion, or null. */
function toDeletedPayload({ type, id }: AppendedEvent['entry']): Event['payload'] {
  if (type === 'conversation.deleted') return toDeletedReply(id);
  const conversationId = parseMessageId(id)?.conversationId;
  return conversationId === undefined ? null : toDeletedMessage(id, conversationId);
}
