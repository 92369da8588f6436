import { hasBus, putEvents } from '../shared/bus/put-events.ts';
import { withDeadline } from '../shared/deadline.ts';
import { describeCause } from '../shared/log/describe-cause.ts';
import { log } from '../shared/log/log.ts';
import { publishEvents } from '../shared/push/publish-events.ts';
import { serveChanges } from '../shared/stream/serve-changes.ts';
import type { StreamChange } from '../shared/stream-change.ts';
import { sendAutoReplies } from '../shared/table/auto-replies/send-auto-replies.ts';
import { toBusinessEvents } from '../shared/table/businesses/to-business-events.ts';
import { type AppendedEvent, publishToFeeds } from '../shared/table/feed/publish-to-feeds.ts';
import { toBusEvents } from '../shared/table/feed/to-bus-events.ts';
import { toPushEvents } from '../shared/table/feed/to-push-events.ts';

/** Milliseconds for publishing to listeners. The next changes wait meanwhile. */
const maxPushMilliseconds = 8000;

/**
 * Live worker: appends changes to the feeds that may see them, then publishes, best effort, puts
 * them on the stage's bus, and sends automatic replies of businesses.
 */
export const handler = serveChanges('live', async (changes) => {
  const { appended, failed } = await publishToFeeds(changes);
  const [lost_pushes, missingOnBus, autoReplies] = await Promise.all([
    publishToListeners(appended),
    publishToBus(appended, changes),
    sendAutoReplies(appended),
  ]);
  return {
    failed: new Set([...failed, ...missingOnBus, ...autoReplies.failed]),
    facts: {
      events: appended.length,
      lost_pushes,
      bus_failures: missingOnBus.length || undefined,
      auto_replies: autoReplies.sent || undefined,
    },
  };
});

/** Returns the number of events that could not be published. */
async function publishToListeners(appended: readonly AppendedEvent[]): Promise<number> {
  try {
    return await withDeadline(maxPushMilliseconds, async () => {
      const inboxes = await toPushEvents(appended);
      const lost = await Promise.all(
        inboxes.map(({ inbox, events }) => publishEvents(inbox, events)),
      );
      return lost.reduce((sum, one) => sum + one, 0);
    });
  } catch (error) {
    log({ level: 'ERROR', operation: 'push', cause: describeCause(error) });
    return appended.length;
  }
}

/** Returns the changes whose events the bus did not accept. They are retried. */
async function publishToBus(
  appended: readonly AppendedEvent[],
  changes: readonly StreamChange[],
): Promise<StreamChange[]> {
  if (!hasBus()) return [];
  const entries = [...(await toBusEvents(appended)), ...toBusinessEvents(changes)];
  const failed = await putEvents(entries.map(({ event }) => event));
  return entries.filter(({ event }) => failed.has(event)).map(({ change }) => change);
}
