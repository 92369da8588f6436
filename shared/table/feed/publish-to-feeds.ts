import type { OpenedConversation } from '../../contract/resources/event.ts';
import { type Inbox, toFeedName } from '../../inbox.ts';
import { describeCause } from '../../log/describe-cause.ts';
import { log } from '../../log/log.ts';
import type { StreamChange } from '../../stream-change.ts';
import { getDirectPartner } from '../conversations/items/participants.ts';
import type { MessageItem } from '../messages/log/message-item.ts';
import {
  cacheParticipants,
  getConversationInboxes,
  getParticipants,
} from './conversation-inboxes.ts';
import { formatEntry } from './feed-entry.ts';
import { type AppendToFeed, createFeedWriter } from './feed-writer.ts';
import { type Opening, readOpenings } from './read-openings.ts';
import { type ChangeEvent, toChangeEvents } from './to-change-event.ts';

export interface AppendedEvent
  extends Pick<
    ChangeEvent,
    'entry' | 'message' | 'keepsContent' | 'group' | 'membership' | 'isOnBusOtherwise'
  > {
  opened?: OpenedConversation;
  inbox: Inbox;
  sequence: number;
  change: StreamChange;
}

/** Publishes events to listeners. Both functions return immediately and do not throw. */
export interface Publisher {
  /** Called once with all messages to publish, before any feed is written. */
  prepare(messages: readonly MessageItem[]): void;
  /** Called with a feed's events as soon as they are appended. */
  publish(inbox: Inbox, events: readonly AppendedEvent[]): void;
}

const appendWithCache = createFeedWriter();

type ChangeWithEvent = ChangeEvent & { change: StreamChange; opening?: Opening };

interface FeedChanges {
  inbox: Inbox;
  changeEvents: ChangeWithEvent[];
}

/**
 * Appends changes to the feeds of their recipients. Writes all feeds concurrently, so that a slow
 * feed does not delay the others. Returns the appended events and the changes to retry.
 */
export async function publishToFeeds(
  changes: readonly StreamChange[],
  publisher?: Publisher,
  appendToFeed: AppendToFeed = appendWithCache,
): Promise<{ appended: AppendedEvent[]; failed: ReadonlySet<StreamChange> }> {
  const failed = new Set<StreamChange>();
  const fail = (failedChanges: readonly StreamChange[], error: unknown) => {
    log({
      level: 'ERROR',
      operation: 'live',
      changes: failedChanges.length,
      cause: describeCause(error),
    });
    for (const change of failedChanges) failed.add(change);
    return [];
  };
  const changeEvents = changes.flatMap((change): ChangeWithEvent[] => {
    try {
      return toChangeEvents(change).map((changeEvent) => ({ ...changeEvent, change }));
    } catch (error) {
      return fail([change], error);
    }
  });
  const feeds = await groupByFeed(changeEvents);
  publisher?.prepare(changeEvents.flatMap(({ message }) => message ?? []));
  const addOpened = readOpeningsOnce(feeds);
  const appended = feeds.map(async ({ inbox, changeEvents }) => {
    try {
      const visible = await addOpened(changeEvents);
      const sequences = await appendToFeed(inbox, visible.map(toText));
      const events = visible.flatMap((one) => {
        const sequence = sequences.get(toText(one));
        return sequence === undefined ? [] : [{ ...one, inbox, sequence }];
      });
      publisher?.publish(inbox, events);
      return events;
    } catch (error) {
      return fail(changeEvents.map(toChange), error);
    }
  });
  return { appended: (await Promise.all(appended)).flat(), failed };
}

const toChange = ({ change }: ChangeWithEvent) => change;
const toText = ({ entry }: ChangeWithEvent) => formatEntry(entry);

type VisibleEvent = ChangeWithEvent & Pick<AppendedEvent, 'opened'>;

/**
 * Returns a function that adds openings to a feed's changes, and omits each change whose opening
 * the recipient may not see. Immediately starts reading the openings. Feeds without openings do not
 * wait for this read.
 */
function readOpeningsOnce(feeds: readonly FeedChanges[]) {
  const openings = feeds.flatMap(({ changeEvents }) =>
    changeEvents.flatMap(({ opening }) => opening ?? []),
  );
  const reading = readOpenings(openings);
  // Prevents an unhandled rejection. For feeds with openings, the returned function awaits
  // `reading` and throws its error.
  reading.catch(() => {});
  return async (changeEvents: readonly ChangeWithEvent[]): Promise<readonly VisibleEvent[]> => {
    if (!changeEvents.some(({ opening }) => opening)) return changeEvents;
    const findOpened = await reading;
    return changeEvents.flatMap((one): VisibleEvent[] => {
      if (!one.opening) return [one];
      const opened = findOpened(one.opening)?.opened;
      return opened ? [{ ...one, opened }] : [];
    });
  };
}

/** Groups changes by feed. May omit changes to a conversation that has since been deleted. */
async function groupByFeed(changeEvents: readonly ChangeWithEvent[]): Promise<FeedChanges[]> {
  for (const { conversation } of changeEvents) {
    if (conversation) cacheParticipants(conversation.id, conversation);
  }
  const findParticipants = await getParticipants(
    changeEvents.flatMap(({ inbox, conversationId }) => (inbox ? [] : (conversationId ?? []))),
  );
  const feeds = new Map<string, FeedChanges>();
  const add = (inbox: Inbox, changeEvent: ChangeWithEvent) => {
    const name = toFeedName(inbox);
    const feed = feeds.get(name) ?? { inbox, changeEvents: [] };
    feed.changeEvents.push(changeEvent);
    feeds.set(name, feed);
  };
  for (const changeEvent of changeEvents) {
    const { inbox, openedBy: readerId, partnerOf, isForStaff, conversationId } = changeEvent;
    if (inbox) {
      add(inbox, changeEvent);
      continue;
    }
    const participants = conversationId && findParticipants(conversationId);
    if (!participants) continue;
    if (readerId === undefined) {
      for (const inbox of getConversationInboxes(participants))
        if ((!isForStaff || inbox.kind === 'group') && inbox.id !== partnerOf)
          add(inbox, changeEvent);
      continue;
    }
    const recipientId = getDirectPartner(participants, readerId);
    if (recipientId) {
      const opening = { conversationId, readerId, recipientId };
      add({ kind: 'contact', id: recipientId }, { ...changeEvent, opening });
    }
  }
  return [...feeds.values()];
}
