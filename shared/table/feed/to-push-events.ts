import { toDeletedMessage } from '../../contract/resources/event.ts';
import { parseMessageId } from '../../ids.ts';
import { type Inbox, toFeedName } from '../../inbox.ts';
import type { PushEvent } from '../../push-event.ts';
import { getContacts } from '../contacts.ts';
import { toMessageReply } from '../messages/log/message-item.ts';
import { createEvent, getConversationId } from './feed-entry.ts';
import type { AppendedEvent } from './publish-to-feeds.ts';

export interface InboxEvents {
  inbox: Inbox;
  events: PushEvent[];
}

/** Converts changes to push events. Conversations have no payload: each member's view differs. */
export async function toPushEvents(appended: readonly AppendedEvent[]): Promise<InboxEvents[]> {
  const getContact = await getContacts(appended.flatMap(({ message }) => message?.sent_by ?? []));
  const byFeed = Map.groupBy(appended, ({ inbox }) => toFeedName(inbox));
  return [...byFeed.values()].flatMap((appendedToInbox): InboxEvents[] => {
    const inbox = appendedToInbox[0]?.inbox;
    if (!inbox) return [];
    const events = appendedToInbox
      .toSorted((one, other) => one.sequence - other.sequence)
      .map((event) => {
        const { entry, message, keepsContent = false } = event;
        const state = {
          version: entry.version,
          ...(parseMessageId(entry.id) && {
            message: message
              ? toMessageReply(getContact(message.sent_by), message)
              : toDeletedMessage(entry.id, getConversationId(entry)),
          }),
        };
        return { event: createEvent(event, state), keepsContent };
      });
    return [{ inbox, events }];
  });
}
