import { maxExternalIdLength } from '../../../shared/contract/schema/field-types.ts';
import { messageLimits } from '../../../shared/contract/schema/message-limits.ts';
import { toMessageId } from '../../../shared/ids.ts';
import { messageKey } from '../../../shared/table/keys/keys.ts';
import type { MessageItem } from '../../../shared/table/messages/log/message-item.ts';

/** Maximum size of a DynamoDB item in bytes, including attribute names. */
export const maxItemBytes = 400 * 1024;

const aNumber = 21;
const aCharacter = 4;
const position = { conversationId: '0'.repeat(26), sequence: 1, sentAt: 1 };

const { textCharacters, attachments, attachmentBytes, reactions } = messageLimits;
const { reactionNames, reactionNameCharacters } = messageLimits;

/**
 * Maximum size of each attribute's value in bytes, as DynamoDB counts it: UTF-8, plus 3 bytes per
 * map, list or set and 1 byte per element.
 */
const largestValues: Record<keyof MessageItem | 'pk' | 'sk', number> = {
  ...{ pk: messageKey(position.conversationId, 1).pk.length },
  ...{ sk: messageKey(position.conversationId, 1).sk.length },
  id: toMessageId(position).length,
  conversation_id: position.conversationId.length,
  sequence: aNumber,
  sent_by: maxExternalIdLength,
  message: textCharacters * aCharacter,
  // If a content item stores the text and attachments, the log entry has the content item's id.
  content_id: 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'.length,
  content_bytes: aNumber,
  attachment_ids: attachments * (position.conversationId.length * 2 + 1),
  attachment_scans:
    attachments * (position.conversationId.length * 2 + '"":"unscanned",'.length) + 2,
  reply_to_id: toMessageId(position).length,
  mentions: 3 + messageLimits.mentions * (1 + maxExternalIdLength),
  attachments: '[]'.length + attachments * (attachmentBytes + ','.length),
  reactions:
    3 +
    reactionNames * (1 + reactionNameCharacters * aCharacter + 3) +
    reactions * (1 + maxExternalIdLength),
  reaction_count: aNumber,
  read_at: aNumber,
  hidden_read_at: aNumber,
  created_at: aNumber,
  updated_at: aNumber,
  version: aNumber,
  change: 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'.length,
  pinned: 1,
  previous_at: aNumber,
};

/** Size in bytes of the largest possible message item within the service's limits. */
export const largestMessageBytes = Object.entries(largestValues).reduce(
  (sum, [name, bytes]) => sum + name.length + bytes,
  0,
);
