import type { OpenedConversation } from '../../contract/resources/event.ts';
import { type Inbox, toFeedName } from '../../inbox.ts';
import { describeCause } from '../../log/describe-cause.ts';
import { log } from '../../log/log.ts';
import type { StreamChange } from '../../stream-change.ts';
import { getDirectPartner } from '../conversations/items/participants.ts';
import {
  cacheParticipants,
  getConversationInboxes,
  getParticipants,
} from './conversation-inboxes.ts';
import { formatEntry } from './feed-entry.ts';
import { createFeedWriter } from './feed-writer.ts';
import { readOpenings } from './read-openings.ts';
import { type ChangeEvent, toChangeEvents } from './to-change-event.ts';

export interface AppendedEvent extends Pick<ChangeEvent, 'entry' | 'message' | 'keepsContent'> {
  opened?: OpenedConversation;
  inbox: Inbox;
  sequence: number;
  change: StreamChange;
}

const appendToFeed = createFeedWriter();

type ChangeWithEvent = ChangeEvent & { change: StreamChange; opened?: OpenedConversation };

/** Appends changes to the feeds that may see them. Returns the events, and changes to retry. */
export async function publishToFeeds(
  changes: readonly StreamChange[],
): Promise<{ appended: AppendedEvent[]; failed: ReadonlySet<StreamChange> }> {
  const failed = new Set<StreamChange>();
  const changeEvents = changes.flatMap((change): ChangeWithEvent[] => {
    try {
      return toChangeEvents(change).map((changeEvent) => ({ ...changeEvent, change }));
    } catch (error) {
      logFailure([change], error);
      failed.add(change);
      return [];
    }
  });
  const feeds = await groupByFeed(changeEvents);
  const appended = feeds.map((feed) =>
    appendEvents(feed).catch((error) => {
      const lost = feed.changeEvents.map(({ change }) => change);
      logFailure(lost, error);
      for (const change of lost) failed.add(change);
      return [];
    }),
  );
  return { appended: (await Promise.all(appended)).flat(), failed };
}

interface FeedChanges {
  inbox: Inbox;
  changeEvents: ChangeWithEvent[];
}

async function appendEvents({ inbox, changeEvents }: FeedChanges): Promise<AppendedEvent[]> {
  const texts = changeEvents.map(({ entry }) => formatEntry(entry));
  const sequences = await appendToFeed(inbox, texts);
  return changeEvents.flatMap((one) => {
    const sequence = sequences.get(formatEntry(one.entry));
    return sequence === undefined ? [] : [{ ...one, inbox, sequence }];
  });
}

const logFailure = ({ length }: readonly StreamChange[], error: unknown): void =>
  log({ level: 'ERROR', operation: 'live', changes: length, cause: describeCause(error) });

/** Groups changes by feed. Changes of a conversation deleted since may be left out. */
async function groupByFeed(changeEvents: readonly ChangeWithEvent[]) {
  for (const { conversationId, conversation } of changeEvents) {
    if (conversation) cacheParticipants(conversationId, conversation);
  }
  const findParticipants = await getParticipants(
    changeEvents.filter(({ owner }) => owner === undefined).map((one) => one.conversationId),
  );
  const toOpening = ({ openedBy: readerId, conversationId }: ChangeEvent) => {
    const participants = findParticipants(conversationId);
    const recipientId = participants && readerId && getDirectPartner(participants, readerId);
    return recipientId ? { conversationId, readerId, recipientId } : undefined;
  };
  const findOpened = await readOpenings(changeEvents.flatMap((one) => toOpening(one) ?? []));
  const feeds = new Map<string, FeedChanges>();
  const add = (inbox: Inbox, changeEvent: ChangeWithEvent) => {
    const name = toFeedName(inbox);
    const feed = feeds.get(name) ?? { inbox, changeEvents: [] };
    feed.changeEvents.push(changeEvent);
    feeds.set(name, feed);
  };
  for (const changeEvent of changeEvents) {
    const { owner, openedBy, partnerOf, isForStaff, conversationId } = changeEvent;
    if (openedBy !== undefined) {
      const opening = toOpening(changeEvent);
      const opened = opening && findOpened(opening)?.opened;
      if (opened) add({ kind: 'contact', id: opening.recipientId }, { ...changeEvent, opened });
    } else if (owner !== undefined) {
      add({ kind: 'contact', id: owner }, changeEvent);
    } else {
      const participants = findParticipants(conversationId);
      const inboxes = participants ? getConversationInboxes(participants) : [];
      for (const inbox of inboxes)
        if ((!isForStaff || inbox.kind === 'group') && inbox.id !== partnerOf)
          add(inbox, changeEvent);
    }
  }
  return [...feeds.values()];
}
