import { withDeadline } from '../shared/deadline.ts';
import { describeCause } from '../shared/log/describe-cause.ts';
import { log } from '../shared/log/log.ts';
import { publishEvents } from '../shared/push/publish-events.ts';
import { serveChanges } from '../shared/stream/serve-changes.ts';
import { sendAutoReplies } from '../shared/table/auto-replies/send-auto-replies.ts';
import { type Publisher, publishToFeeds } from '../shared/table/feed/publish-to-feeds.ts';
import { createPushEventConverter } from '../shared/table/feed/to-push-events.ts';

/** Milliseconds for publishing a feed's events to listeners. The next changes wait meanwhile. */
const maxPushMilliseconds = 8000;

/**
 * Live worker: appends changes to the feeds that may see them, then publishes, best effort, and
 * sends automatic replies of businesses.
 */
export const handler = serveChanges('live', async (changes) => {
  const pusher = createPusher();
  const { appended, failed } = await publishToFeeds(changes, pusher);
  const [lost_pushes, autoReplies] = await Promise.all([
    pusher.countLost(),
    sendAutoReplies(appended),
  ]);
  return {
    failed: new Set([...failed, ...autoReplies.failed]),
    facts: { events: appended.length, lost_pushes, auto_replies: autoReplies.sent || undefined },
  };
});

/** Creates a publisher that counts the events that it could not publish. */
function createPusher(): Publisher & { countLost(): Promise<number> } {
  let converting: Promise<Awaited<ReturnType<typeof createPushEventConverter>> | undefined>;
  const pushes: Promise<number>[] = [];
  const logError = (error: unknown) =>
    log({ level: 'ERROR', operation: 'push', cause: describeCause(error) });
  return {
    prepare: (messages) => {
      converting = withDeadline(maxPushMilliseconds, () =>
        createPushEventConverter(messages),
      ).catch((error) => {
        logError(error);
        return undefined;
      });
    },
    publish: (inbox, events) => {
      const push = async () => {
        const toPushEvents = await converting;
        if (!toPushEvents) return events.length;
        return withDeadline(maxPushMilliseconds, () => publishEvents(inbox, toPushEvents(events)));
      };
      const countAll = (error: unknown) => {
        logError(error);
        return events.length;
      };
      pushes.push(push().catch(countAll));
    },
    countLost: async () => {
      const lost = await Promise.all(pushes);
      return lost.reduce((sum, one) => sum + one, 0);
    },
  };
}
