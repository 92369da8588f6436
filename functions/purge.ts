import { purgeWritesPerSecond } from '../shared/function-limits.ts';
import { toFeedName } from '../shared/inbox.ts';
import { type StreamWorker, serveRecords } from '../shared/stream/serve-records.ts';
import { removeFileWithoutItem } from '../shared/table/attachments/remove-attachments.ts';
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
  /** The feed name hides its owner. */
  getItemName: ({ pk }) => {
    const inbox = parseFeedInbox({ pk });
    return inbox ? toFeedName(inbox) : pk;
  },
};

/**
 * Purge worker: empties the partitions of deleted conversations, removes the members and
 * conversations of deleted groups, message content that is no longer used, files of deleted
 * messages and expired uploads, follows changes of blocks, and runs due feed maintenance.
 */
export const handler = serveRecords(worker, async (key, { changedAt, concurrentItems, until }) => {
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
  if (key.sk !== conversationSort) return tidyMessage(id, key.sk, changedAt);
  return purgeConversation(id, purge);
});

/** A message may have lost its content, its files, or both. */
async function tidyMessage(conversationId: string, sk: string, changedAt: number) {
  const files = sk.startsWith(messageSortPrefix)
    ? await removeMessageFiles(conversationId, sk)
    : 'kept';
  const content = await removeUnusedContent(conversationId, sk, changedAt);
  return [files, content].includes('removed') ? 'removed' : 'kept';
}
