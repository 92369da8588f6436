import { requirePosition } from '../../attachments/attachment-item.ts';
import { removeAttachment } from '../../attachments/remove-attachments.ts';
import { getItem, update } from '../../calls/access.ts';
import { messageKey, parseMessageSort } from '../../keys/keys.ts';
import { attachmentIdsAttribute } from '../../keys/names.ts';
import { isMessage, toLogEntry } from '../log/message-item.ts';

/**
 * Removes a deleted message's uploaded attachments, then their ids from its tombstone. Returns
 * `kept` if there is no tombstone with attachment ids. Safe to repeat after a crash at any point.
 */
export async function removeMessageFiles(
  conversationId: string,
  sk: string,
): Promise<'kept' | 'removed'> {
  const key = messageKey(conversationId, parseMessageSort(sk).sequence);
  const item = await getItem(key);
  const entry = item && toLogEntry(item);
  if (!entry || isMessage(entry) || entry.attachment_ids === undefined) return 'kept';
  const positions = entry.attachment_ids.split(' ').map(requirePosition);
  await Promise.all(positions.map(removeAttachment));
  await update({
    Key: key,
    UpdateExpression: `REMOVE ${attachmentIdsAttribute}`,
    ConditionExpression: `attribute_exists(${attachmentIdsAttribute})`,
  });
  return 'removed';
}
