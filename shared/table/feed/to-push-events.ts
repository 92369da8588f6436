import { toDeletedMessage } from '../../contract/resources/event.ts';
import { parseMessageId } from '../../ids.ts';
import { type Inbox, toFeedName } from '../../inbox.ts';
import type { PushEvent } from '../../push-event.ts';
import { getContacts } from '../contacts.ts';
import { lookUpEventFields } from '../expansions/expand-messages.ts';
import { lookUpContent } from '../messages/log/content-item.ts';
import { toMessageReply } from '../messages/log/message-item.ts';
import { createEvent, getConversationId } from './feed-entry.ts';
import type { AppendedEvent } from './publish-to-feeds.ts';

export interface InboxEvents {
  inbox: Inbox;
  events: PushEvent[];
}

/** Converts changes to push events. Conversations have no payload: each member's view differs. */
export async function toPushEvents(appended: readonly AppendedEvent[]): Promise<InboxEvents[]> {
  const messages = appended.flatMap(({ message }) => message ?? []);
  const [getContact, findContent, getEventFields] = await Promise.all([
    getContacts(messages.map(({ sent_by }) => sent_by)),
    lookUpContent(messages),
    lookUpEventFields(messages),
  ]);
  const byFeed = Map.groupBy(appended, ({ inbox }) => toFeedName(inbox));
  return [...byFeed.values()].flatMap((appendedToInbox): InboxEvents[] => {
    const inbox = appendedToInbox[0]?.inbox;
    if (!inbox) return [];
    const events = appendedToInbox
      .toSorted((one, other) => one.sequence - other.sequence)
      .map((event) => {
        const { entry, message, opened, keepsContent = false } = event;
        // A later event has the content that the message has now.
        const whole = message && findContent(message);
        const state = {
          version: entry.version,
          ...(opened && { opened }),
          ...(whole && {
            message: {
              ...toMessageReply(inbox.id, getContact(whole.sent_by), whole),
              ...getEventFields(whole, inbox.id),
            },
          }),
          ...(!message &&
            parseMessageId(entry.id) && {
              message: toDeletedMessage(entry.id, getConversationId(entry)),
            }),
        };
        return { event: createEvent(event, state), keepsContent };
      });
    return [{ inbox, events }];
  });
}
