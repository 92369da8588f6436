import { deleted } from '../../contract/deleted.ts';
import { deletedMessage, type Event } from '../../contract/event.ts';
import { parseMessageId } from '../../ids.ts';
import { feedName, type Inbox } from '../../inbox.ts';
import { getContacts } from '../contacts.ts';
import { toMessageReply } from '../messages/log/message-item.ts';
import { toEventId } from './feed-entry.ts';
import type { AppendedEvent } from './publish-to-feeds.ts';

/** What has happened in an inbox, in the order of its feed. */
export interface InboxEvents {
  inbox: Inbox;
  events: Event[];
}

/**
 * What was told in feeds as whoever listens hears it, by inbox. A message is as the change left it; of a conversation,
 * which each sees with settings of their own, it is told that it changed, and the payload is null.
 */
export async function toPushEvents(appended: readonly AppendedEvent[]): Promise<InboxEvents[]> {
  const getContact = await getContacts(appended.flatMap(({ message }) => message?.sent_by ?? []));
  const byFeed = Map.groupBy(appended, ({ inbox }) => feedName(inbox));
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

/** What is told of all that is no message that is there: null but for what is deleted. */
function toDeletedPayload({ type, id }: AppendedEvent['entry']): Event['payload'] {
  if (type === 'conversation.deleted') return deleted(id);
  const conversationId = parseMessageId(id)?.conversationId;
  return conversationId === undefined ? null : deletedMessage(id, conversationId);
}
