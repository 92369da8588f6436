import { hasBus, putEvents } from '../shared/bus/put-events.ts';
import { withDeadline } from '../shared/deadline.ts';
import { describeCause } from '../shared/log/describe-cause.ts';
import { log } from '../shared/log/log.ts';
import { publishEvents } from '../shared/push/publish-events.ts';
import { serveChanges } from '../shared/stream/serve-changes.ts';
import type { StreamChange } from '../shared/stream-change.ts';
import { sendAutoReplies } from '../shared/table/auto-replies/send-auto-replies.ts';
import { toBusinessEvents } from '../shared/table/businesses/to-business-events.ts';
import {
  type AppendedEvent,
  type Publisher,
  publishToFeeds,
} from '../shared/table/feed/publish-to-feeds.ts';
import { toBusEvents } from '../shared/table/feed/to-bus-events.ts';
import { createPushEventConverter } from '../shared/table/feed/to-push-events.ts';

/**
 * Time limit in milliseconds for each of two steps: preparing to convert a batch's events, and
 * publishing the events of one feed. The time is limited because the next batch waits for this one.
 */
const maxPushMilliseconds = 8000;

/**
 * Appends changes to their recipients' feeds, and publishes them to listeners on a best-effort
 * basis. Then puts the changes on the stage's bus, and sends the automatic replies of businesses.
 */
export const handler = serveChanges('live', async (changes) => {
  const pusher = createPusher();
  const { appended, failed } = await publishToFeeds(changes, pusher);
  const [lost_pushes, missingOnBus, autoReplies] = await Promise.all([
    pusher.countLost(),
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
      const lostCounts = await Promise.all(pushes);
      return lostCounts.reduce((sum, one) => sum + one, 0);
    },
  };
}

/**
 * Puts events on the stage's bus, if it has one. Returns the changes whose events the bus did not
 * accept, so that Lambda retries them.
 */
async function publishToBus(
  appended: readonly AppendedEvent[],
  changes: readonly StreamChange[],
): Promise<StreamChange[]> {
  if (!hasBus()) return [];
  const entries = [...(await toBusEvents(appended)), ...toBusinessEvents(changes)];
  const failed = await putEvents(entries.map(({ event }) => event));
  return entries.filter(({ event }) => failed.has(event)).map(({ change }) => change);
}
