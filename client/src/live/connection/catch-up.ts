import { hasCode } from '../../api-error.ts';
import type { Live } from '../../generated/types.ts';
import { NoEventsError } from './failure-policy.ts';
import { readFeed } from './feed-reader.ts';
import { unsubscribe } from './push-connection.ts';
import { advanceTo, clearSequencer, hasReached } from './push-sequencer.ts';
import type { Session } from './session-state.ts';

const firstRereadDelayMs = 5000;

/**
 * Fetches the cursor and the channels. If the reply covers all groups, calls `leaveGroup` for each
 * known group without a channel. Throws `NoEventsError` if the stage has events disabled.
 */
export async function fetchLive(session: Session): Promise<Live> {
  // A group change during this request requires another request.
  session.needsReload ||= session.hasGroupChange;
  session.hasGroupChange = false;
  try {
    const live = await session.client.live.retrieve({}, { signal: session.scope.signal });
    const groups = new Set(live.channels.map(({ group_id }) => group_id));
    for (const { group_id } of session.channels)
      if (group_id && live.is_complete && !groups.has(group_id)) leaveGroup(session, group_id);
    session.channels = live.channels;
    return live;
  } catch (cause) {
    throw hasCode(cause, 'not_found') ? new NoEventsError(cause) : cause;
  }
}

/** Ends a group's subscriptions, and hides its conversations. */
export function leaveGroup(session: Session, groupId: string): void {
  const { channels, connection } = session;
  session.channels = channels.filter(({ group_id }) => group_id !== groupId);
  for (const { name, group_id } of channels)
    if (group_id === groupId && connection) unsubscribe(connection, name);
  session.onGroupLeft(groupId);
}

export function takeToken(session: Session): Promise<string> {
  const fresh = session.needsFreshToken;
  session.needsFreshToken = false;
  return session.client.token({ fresh });
}

/**
 * Reports whether the lists must be loaded again. If the reply covers only the most recently active
 * groups, a different set of feeds does not mean that the user's groups have changed.
 */
export function mustReload({ needsReload, sequencer }: Session, live: Live): boolean {
  const { channels, is_complete } = live;
  if (!is_complete) return needsReload;
  const feeds = new Set(channels.map(({ feed }) => feed));
  const knownFeeds = [...sequencer.lastSequences.keys()];
  return (
    needsReload || feeds.size !== knownFeeds.length || knownFeeds.some((feed) => !feeds.has(feed))
  );
}

/** Loads the lists if `mustReload` returns true; otherwise, reads the missed events. */
export async function bringUpToDate(session: Session, live: Live): Promise<void> {
  const { sequencer } = session;
  if (!mustReload(session, live)) return catchUp(session, live);
  session.needsReload = true;
  clearSequencer(sequencer);
  session.cursor = live.cursor;
  await session.load();
  session.needsReload = false;
  session.hasLoaded = true;
  for (const { feed, place } of live.channels) advanceTo(sequencer, feed, place);
  session.onReachable();
}

/** Reads the feed if events were missed; otherwise continues from the reply's cursor. */
export async function catchUp(session: Session, { channels, cursor }: Live): Promise<void> {
  const isComplete = channels.every(({ feed, place }) =>
    hasReached(session.sequencer, feed, place),
  );
  if (!isComplete) {
    await readFeed(session);
    // The read returned all events up to the channels' sequence numbers, including events from
    // feeds that had no channel before.
    for (const { feed, place } of channels) advanceTo(session.sequencer, feed, place);
    return;
  }
  session.cursor = cursor;
  session.onReachable();
}

/**
 * Reads the feed twice, now and after a few seconds, because pushes may be lost right after
 * subscribing.
 */
export async function readTwice(session: Session): Promise<void> {
  await readFeed(session);
  session.scope.schedule(firstRereadDelayMs, () => readFeed(session));
}
