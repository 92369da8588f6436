import { feedName, type Inbox } from '../../inbox.ts';
import { causeText } from '../../log/cause-text.ts';
import { log } from '../../log/log.ts';
import { formatEntry } from './feed-entry.ts';
import { createFeedWriter } from './feed-writer.ts';
import { cacheParticipants, getParticipants, inboxesWith } from './participants.ts';
import { type ChangeEvent, type StreamChange, toChangeEvent } from './to-change-event.ts';

/** A change that has been told in a feed: at that place. */
export interface AppendedEvent extends Pick<ChangeEvent, 'entry' | 'message'> {
  inbox: Inbox;
  sequence: number;
}

const appendToFeed = createFeedWriter();

type ChangeWithEvent = ChangeEvent & { change: StreamChange };

/**
 * Tells each change in the feeds of all who may see it, one write for each feed, side by side. Gives what was told, and the
 * changes that are to come again, as at least one feed could not be written.
 */
export async function publishToFeeds(
  changes: readonly StreamChange[],
): Promise<{ appended: AppendedEvent[]; failed: ReadonlySet<StreamChange> }> {
  const failed = new Set<StreamChange>();
  const fail = (some: readonly StreamChange[], error: unknown) => {
    for (const change of some) failed.add(change);
    log({ level: 'ERROR', operation: 'live', changes: some.length, cause: causeText(error) });
  };
  const changeEvents = changes.flatMap((change): ChangeWithEvent[] => {
    try {
      const changeEvent = toChangeEvent(change);
      return changeEvent ? [{ ...changeEvent, change }] : [];
    } catch (error) {
      fail([change], error);
      return [];
    }
  });
  const byFeed = await groupByFeed(changeEvents);
  const told = await Promise.all(
    byFeed.map(async ({ inbox, changeEvents: some }): Promise<AppendedEvent[]> => {
      try {
        const sequences = await appendToFeed(
          inbox,
          some.map(({ entry }) => formatEntry(entry)),
        );
        return some.flatMap((one) => {
          const sequence = sequences.get(formatEntry(one.entry));
          return sequence === undefined ? [] : [{ ...one, inbox, sequence }];
        });
      } catch (error) {
        fail(
          some.map(({ change }) => change),
          error,
        );
        return [];
      }
    }),
  );
  return { appended: told.flat(), failed };
}

/**
 * What happened, by the feed that it belongs to. Of a conversation that has been deleted since, all but the deletion may be
 * left out, which its readers are told all the same.
 */
async function groupByFeed(changeEvents: readonly ChangeWithEvent[]) {
  for (const { conversationId, conversation } of changeEvents) {
    if (conversation) cacheParticipants(conversationId, conversation);
  }
  const getParties = await getParticipants(
    changeEvents.filter(({ owner }) => owner === undefined).map((one) => one.conversationId),
  );
  const feeds = new Map<string, { inbox: Inbox; changeEvents: ChangeWithEvent[] }>();
  for (const changeEvent of changeEvents) {
    const { owner, conversationId } = changeEvent;
    const participants = getParties(conversationId);
    const inboxes: Inbox[] =
      owner === undefined
        ? participants
          ? inboxesWith(participants)
          : []
        : [{ kind: 'contact', id: owner }];
    for (const inbox of inboxes) {
      const name = feedName(inbox);
      const feed = feeds.get(name) ?? { inbox, changeEvents: [] };
      feed.changeEvents.push(changeEvent);
      feeds.set(name, feed);
    }
  }
  return [...feeds.values()];
}
