import { messageLimits } from '../../../shared/contract/resources/message-limits.ts';
import { maxExternalIdLength } from '../../../shared/contract/schema/field-types.ts';
import { toMessageId } from '../../../shared/ids.ts';
import { messageKey } from '../../../shared/table/keys/keys.ts';
import type { MessageItem } from '../../../shared/table/messages/log/message-item.ts';

/** What the table takes for an item, names of attributes included. */
export const maxItemBytes = 400 * 1024;

const aNumber = 21;
const aCharacter = 4;
const position = { conversationId: '0'.repeat(26), sequence: 1, sentAt: 1 };

const { textCharacters, attachments, attachmentBytes, reactions } = messageLimits;
const { reactionNames, reactionNameCharacters } = messageLimits;

/** As DynamoDB counts: UTF-8, 3 bytes for a map, a list or a set, 1 for each thing in it. */
const largestValues: Record<keyof MessageItem | 'pk' | 'sk', number> = {
  ...{ pk: messageKey(position.conversationId, 1).pk.length },
  ...{ sk: messageKey(position.conversationId, 1).sk.length },
  id: toMessageId(position).length,
  conversation_id: position.conversationId.length,
  sequence: aNumber,
  sent_by: maxExternalIdLength,
  message: textCharacters * aCharacter,
  attachments: '[]'.length + attachments * (attachmentBytes + ','.length),
  reactions:
    3 +
    reactionNames * (1 + reactionNameCharacters * aCharacter + 3) +
    reactions * (1 + maxExternalIdLength),
  reaction_count: aNumber,
  read_at: aNumber,
  created_at: aNumber,
  updated_at: aNumber,
  version: aNumber,
  change: 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'.length,
  pinned: 1,
  previous_at: aNumber,
};

/** The largest item that a message can be, whatever people do that the rules allow. */
export const largestMessageBytes = Object.entries(largestValues).reduce(
  (sum, [name, bytes]) => sum + name.length + bytes,
  0,
);
