import { withDeadline } from '../shared/deadline.ts';
import { describeCause } from '../shared/log/describe-cause.ts';
import { log } from '../shared/log/log.ts';
import { publishEvents } from '../shared/push/publish-events.ts';
import { serveChanges } from '../shared/stream/serve-changes.ts';
import { sendAutoReplies } from '../shared/table/auto-replies/send-auto-replies.ts';
import { type AppendedEvent, publishToFeeds } from '../shared/table/feed/publish-to-feeds.ts';
import { toPushEvents } from '../shared/table/feed/to-push-events.ts';

/** Milliseconds for publishing to listeners. The next changes wait meanwhile. */
const maxPushMilliseconds = 8000;

/**
 * Live worker: appends changes to the feeds that may see them, then publishes, best effort, and
 * sends automatic replies of businesses.
 */
export const handler = serveChanges('live', async (changes) => {
  const { appended, failed } = await publishToFeeds(changes);
  const [lost_pushes, autoReplies] = await Promise.all([
    publishToListeners(appended),
    sendAutoReplies(appended),
  ]);
  return {
    failed: new Set([...failed, ...autoReplies.failed]),
    facts: { events: appended.length, lost_pushes, auto_replies: autoReplies.sent || undefined },
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
