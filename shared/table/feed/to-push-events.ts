import { toDeletedMessage } from '../../contract/resources/event.ts';
import { parseMessageId } from '../../ids.ts';
import type { PushEvent } from '../../push-event.ts';
import { createEventMessageRenderer } from '../expansions/expand-messages.ts';
import { toGroupReply } from '../groups/group-item.ts';
import { lookUpContent } from '../messages/log/content-item.ts';
import type { MessageItem } from '../messages/log/message-item.ts';
import { createEvent, getConversationId } from './feed-entry.ts';
import type { AppendedEvent } from './publish-to-feeds.ts';
import { toMember } from './read-group-states.ts';

/**
 * Returns a function that converts a feed's events to push events. Events for created and changed
 * conversations have no payload, because each member's view differs.
 */
export async function createPushEventConverter(
  messages: readonly MessageItem[],
): Promise<(appended: readonly AppendedEvent[]) => PushEvent[]> {
  const [findContent, renderMessage] = await Promise.all([
    lookUpContent(messages),
    createEventMessageRenderer(messages),
  ]);
  const toPushEvent = (event: AppendedEvent): PushEvent => {
    const { inbox, entry, message, opened, group, membership, keepsContent = false } = event;
    // If a later change has replaced the content, the payload is null. The later event has the
    // content.
    const whole = message && findContent(message);
    const state = {
      version: entry.version,
      ...(opened && { opened }),
      ...(group && { group: toGroupReply(group) }),
      ...(membership && { member: toMember(membership) }),
      ...(whole && { message: renderMessage(whole, inbox.id) }),
      ...(!message &&
        parseMessageId(entry.id) && {
          message: toDeletedMessage(entry.id, getConversationId(entry)),
        }),
    };
    return { event: createEvent(event, state), keepsContent };
  };
  return (appended) =>
    appended.toSorted((one, other) => one.sequence - other.sequence).map(toPushEvent);
}
