import type { Context, DynamoDBStreamEvent, ScheduledEvent } from 'aws-lambda';
import { clock } from '../shared/clock.ts';
import { withDeadline } from '../shared/deadline.ts';
import { purgeWritesPerSecond } from '../shared/function-limits.ts';
import { toFeedName } from '../shared/inbox.ts';
import { describeCause } from '../shared/log/describe-cause.ts';
import { beginInvocation } from '../shared/log/invocation.ts';
import { logInvocation } from '../shared/log/log-invocation.ts';
import { toShortHash } from '../shared/log/short-hash.ts';
import { usage } from '../shared/log/usage.ts';
import { type StreamWorker, serveRecords } from '../shared/stream/serve-records.ts';
import { removeFileWithoutItem } from '../shared/table/attachments/remove-attachments.ts';
import { removeExpiredUploads } from '../shared/table/attachments/remove-expired-uploads.ts';
import { followBlock } from '../shared/table/blocks/follow-block.ts';
import { purgeConversation } from '../shared/table/conversations/write/purge-conversation.ts';
import { maintainFeed } from '../shared/table/feed/feed-maintenance.ts';
import { purgeGroup } from '../shared/table/group-changes/purge-group.ts';
import { parseGroupPartition } from '../shared/table/keys/group-keys.ts';
import {
  parseAttachmentKey,
  parseConversationPartition,
  parseFeedInbox,
} from '../shared/table/keys/keys.ts';
import {
  conversationSort,
  deletionAttribute,
  messageSortPrefix,
  pairBlocksSort,
} from '../shared/table/keys/names.ts';
import { removeMessageFiles } from '../shared/table/messages/write/remove-message-files.ts';
import { removeUnusedContent } from '../shared/table/messages/write/remove-unused-content.ts';

const { perPartition, perInvocation } = purgeWritesPerSecond;

const worker: StreamWorker = {
  name: 'purge',
  dueSinceAttribute: deletionAttribute,
  /**
   * Returns a name that reveals no contact id: the name of a feed, a hash for the blocks of a pair,
   * or the partition key of any other item.
   */
  getItemName: ({ pk, sk }) => {
    const inbox = parseFeedInbox({ pk });
    if (inbox) return toFeedName(inbox);
    return sk === pairBlocksSort ? toShortHash(pk) : pk;
  },
};

const followStream = serveRecords(worker, async (key, { changedAt, concurrentItems, until }) => {
  const inbox = parseFeedInbox(key);
  if (inbox) return maintainFeed(inbox);
  if (key.sk === pairBlocksSort) return followBlock(key, changedAt);
  const purge = { until, rate: Math.min(perPartition, perInvocation / concurrentItems) };
  const groupId = parseGroupPartition(key);
  if (groupId !== undefined) return purgeGroup(groupId, purge);
  const id = parseConversationPartition(key);
  if (id === undefined) return 'ignored';
  const attachment = parseAttachmentKey(key);
  if (attachment) return removeFileWithoutItem(attachment);
  if (key.sk !== conversationSort) return cleanUpMessage(id, key.sk, changedAt);
  return purgeConversation(id, purge);
});

/** Milliseconds reserved for the log line. */
const reservedMilliseconds = 1500;

/** Removes the items of expired uploads. After a failure, the next run continues. */
async function followSchedule(context: Context): Promise<void> {
  beginInvocation();
  const milliseconds = context.getRemainingTimeInMillis() - reservedMilliseconds;
  const logOutcome = (facts: Record<string, unknown>, fault: boolean) =>
    logInvocation(context, { operation: worker.name, ...facts, ...usage, fault });
  try {
    const until = clock.now() + milliseconds;
    const expired = await withDeadline(milliseconds, () => removeExpiredUploads(until));
    logOutcome({ expired }, false);
  } catch (error) {
    logOutcome({ cause: describeCause(error) }, true);
    throw error;
  }
}

/**
 * Serves stream records: purges deleted conversations and groups, removes unused content and files,
 * applies changed blocks to conversations, and maintains feeds. For scheduled events, removes the
 * items of expired uploads.
 */
export const handler = (event: DynamoDBStreamEvent | ScheduledEvent, context: Context) =>
  'Records' in event ? followStream(event, context) : followSchedule(context);

/** Removes the files and content that a message no longer uses. */
async function cleanUpMessage(conversationId: string, sk: string, changedAt: number) {
  const files = sk.startsWith(messageSortPrefix)
    ? await removeMessageFiles(conversationId, sk)
    : 'kept';
  const content = await removeUnusedContent(conversationId, sk, changedAt);
  return [files, content].includes('removed') ? 'removed' : 'kept';
}
