import { feedName, type Inbox } from '../../inbox.ts';
import { causeText } from '../../log/cause-text.ts';
import { log } from '../../log/log.ts';
import { feedWriter } from './append.ts';
import { entryText } from './entry.ts';
import { type Change, type Happening, happened } from './happened.ts';
import { inboxesWith, partiesOf, rememberParties } from './participants.ts';

/** A change that has been told in a feed: at that place. */
export interface Told extends Pick<Happening, 'entry' | 'message'> {
  inbox: Inbox;
  place: number;
}

const append = feedWriter();

type Happened = Happening & { change: Change };

/**
 * Tells each change in the feeds of all who may see it, one write for each feed, side by side. Gives what was told, and the
 * changes that are to come again, as at least one feed could not be written.
 */
export async function tell(
  changes: readonly Change[],
): Promise<{ told: Told[]; failed: ReadonlySet<Change> }> {
  const failed = new Set<Change>();
  const fail = (some: readonly Change[], error: unknown) => {
    for (const change of some) failed.add(change);
    log({ level: 'ERROR', operation: 'live', changes: some.length, cause: causeText(error) });
  };
  const happenings = changes.flatMap((change): Happened[] => {
    try {
      const happening = happened(change);
      return happening ? [{ ...happening, change }] : [];
    } catch (error) {
      fail([change], error);
      return [];
    }
  });
  const byFeed = await inFeeds(happenings);
  const told = await Promise.all(
    byFeed.map(async ({ inbox, happenings: some }): Promise<Told[]> => {
      try {
        const places = await append(
          inbox,
          some.map(({ entry }) => entryText(entry)),
        );
        return some.flatMap((one) => {
          const place = places.get(entryText(one.entry));
          return place === undefined ? [] : [{ ...one, inbox, place }];
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
  return { told: told.flat(), failed };
}

/**
 * What happened, by the feed that it belongs to. Of a conversation that has been deleted since, all but the deletion may be
 * left out, which its readers are told all the same.
 */
async function inFeeds(happenings: readonly Happened[]) {
  for (const { conversationId, conversation } of happenings) {
    if (conversation) rememberParties(conversationId, conversation);
  }
  const parties = await partiesOf(
    happenings.filter(({ owner }) => owner === undefined).map((one) => one.conversationId),
  );
  const feeds = new Map<string, { inbox: Inbox; happenings: Happened[] }>();
  for (const happening of happenings) {
    const { owner, conversationId } = happening;
    const known = parties(conversationId);
    const inboxes: Inbox[] =
      owner === undefined ? (known ? inboxesWith(known) : []) : [{ kind: 'contact', id: owner }];
    for (const inbox of inboxes) {
      const name = feedName(inbox);
      const feed = feeds.get(name) ?? { inbox, happenings: [] };
      feed.happenings.push(happening);
      feeds.set(name, feed);
    }
  }
  return [...feeds.values()];
}
