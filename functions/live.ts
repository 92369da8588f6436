import { withDeadline } from '../shared/deadline.ts';
import { describeCause } from '../shared/log/describe-cause.ts';
import { log } from '../shared/log/log.ts';
import { publish } from '../shared/push/publish.ts';
import { serveChanges } from '../shared/stream/serve-changes.ts';
import { type AppendedEvent, publishToFeeds } from '../shared/table/feed/publish-to-feeds.ts';
import { toPushEvents } from '../shared/table/feed/to-push-events.ts';

/** Milliseconds for publishing to listeners. The next changes wait meanwhile. */
const pushingAtMost = 8000;

/**
 * Live worker: appends each change of messages, conversations and settings to the feeds of all
 * inboxes that may see it, then publishes it to listeners. Changes that cannot be appended are
 * retried; publishing is best effort.
 */
export const handler = serveChanges('live', async (changes) => {
  const { appended: told, failed } = await publishToFeeds(changes);
  const lost_pushes = await push(told);
  return { failed, facts: { events: told.length, lost_pushes } };
});

/** Returns the number of events that could not be published. */
async function push(told: readonly AppendedEvent[]): Promise<number> {
  try {
    return await withDeadline(pushingAtMost, async () => {
      const inboxes = await toPushEvents(told);
      const lost = await Promise.all(inboxes.map(({ inbox, events }) => publish(inbox, events)));
      return lost.reduce((sum, one) => sum + one, 0);
    });
  } catch (error) {
    log({ level: 'ERROR', operation: 'push', cause: describeCause(error) });
    return told.length;
  }
}
