import { deleted } from '../../contract/deleted.ts';
import { deletedMessage, type Event } from '../../contract/event.ts';
import { parseMessageId } from '../../ids.ts';
import { feedName, type Inbox } from '../../inbox.ts';
import { getContacts } from '../contacts.ts';
import { toMessageReply } from '../messages/log/message-item.ts';
import { eventId } from './entry.ts';
import type { Told } from './tell.ts';

/** What has happened in an inbox, in the order of its feed. */
export interface InboxTold {
  inbox: Inbox;
  events: Event[];
}

/**
 * What was told in feeds as whoever listens hears it, by inbox. A message is as the change left it; of a conversation,
 * which each sees with settings of their own, it is told that it changed, and the payload is null.
 */
export async function inboxesTold(told: readonly Told[]): Promise<InboxTold[]> {
  const contactOf = await getContacts(told.flatMap(({ message }) => message?.sent_by ?? []));
  const byFeed = Map.groupBy(told, ({ inbox }) => feedName(inbox));
  return [...byFeed].flatMap(([feed, some]): InboxTold[] => {
    const inbox = some[0]?.inbox;
    if (!inbox) return [];
    const events = some
      .toSorted((one, other) => one.place - other.place)
      .map(
        ({ entry, place, message }): Event => ({
          id: eventId(entry, inbox.id),
          type: entry.type,
          created_at: entry.at,
          version: entry.version,
          feed,
          place,
          payload: message
            ? toMessageReply(contactOf(message.sent_by), message)
            : payloadOfDeleted(entry),
        }),
      );
    return [{ inbox, events }];
  });
}

/** What is told of all that is no message that is there: null but for what is deleted. */
function payloadOfDeleted({ type, id }: Told['entry']): Event['payload'] {
  if (type === 'conversation.deleted') return deleted(id);
  const conversationId = parseMessageId(id)?.conversationId;
  return conversationId === undefined ? null : deletedMessage(id, conversationId);
}
