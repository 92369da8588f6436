import { type Inbox, toFeedName } from '../../inbox.ts';
import { describeCause } from '../../log/describe-cause.ts';
import { log } from '../../log/log.ts';
import type { StreamChange } from '../../stream-change.ts';
import {
  cacheParticipants,
  getConversationInboxes,
  getParticipants,
} from './conversation-inboxes.ts';
import { formatEntry } from './feed-entry.ts';
import { createFeedWriter } from './feed-writer.ts';
import { type ChangeEvent, toChangeEvent } from './to-change-event.ts';

export interface AppendedEvent extends Pick<ChangeEvent, 'entry' | 'message'> {
  inbox: Inbox;
  sequence: number;
}

const appendToFeed = createFeedWriter();

type ChangeWithEvent = ChangeEvent & { change: StreamChange };

/** Appends changes to the feeds that may see them. Returns the events, and changes to retry. */
export async function publishToFeeds(
  changes: readonly StreamChange[],
): Promise<{ appended: AppendedEvent[]; failed: ReadonlySet<StreamChange> }> {
  const failed = new Set<StreamChange>();
  const recordFailure = (failedChanges: readonly StreamChange[], error: unknown) => {
    for (const change of failedChanges) failed.add(change);
    log({
      level: 'ERROR',
      operation: 'live',
      changes: failedChanges.length,
      cause: describeCause(error),
    });
  };
  const changeEvents = changes.flatMap((change): ChangeWithEvent[] => {
    try {
      const changeEvent = toChangeEvent(change);
      return changeEvent ? [{ ...changeEvent, change }] : [];
    } catch (error) {
      recordFailure([change], error);
      return [];
    }
  });
  const byFeed = await groupByFeed(changeEvents);
  const appended = await Promise.all(
    byFeed.map(async ({ inbox, changeEvents: inboxEvents }): Promise<AppendedEvent[]> => {
      try {
        const sequences = await appendToFeed(
          inbox,
          inboxEvents.map(({ entry }) => formatEntry(entry)),
        );
        return inboxEvents.flatMap((one) => {
          const sequence = sequences.get(formatEntry(one.entry));
          return sequence === undefined ? [] : [{ ...one, inbox, sequence }];
        });
      } catch (error) {
        recordFailure(
          inboxEvents.map(({ change }) => change),
          error,
        );
        return [];
      }
    }),
  );
  return { appended: appended.flat(), failed };
}

/** Groups changes by feed. Changes of a conversation deleted since may be left out. */
async function groupByFeed(changeEvents: readonly ChangeWithEvent[]) {
  for (const { conversationId, conversation } of changeEvents) {
    if (conversation) cacheParticipants(conversationId, conversation);
  }
  const findParticipants = await getParticipants(
    changeEvents.filter(({ owner }) => owner === undefined).map((one) => one.conversationId),
  );
  const feeds = new Map<string, { inbox: Inbox; changeEvents: ChangeWithEvent[] }>();
  for (const changeEvent of changeEvents) {
    const { owner, conversationId } = changeEvent;
    const participants = findParticipants(conversationId);
    const inboxes: Inbox[] =
      owner === undefined
        ? participants
          ? getConversationInboxes(participants)
          : []
        : [{ kind: 'contact', id: owner }];
    for (const inbox of inboxes) {
      const name = toFeedName(inbox);
      const feed = feeds.get(name) ?? { inbox, changeEvents: [] };
      feed.changeEvents.push(changeEvent);
      feeds.set(name, feed);
    }
  }
  return [...feeds.values()];
}
