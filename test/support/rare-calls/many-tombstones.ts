import {
  createConversation,
  deleteMessage,
  listConversations,
  retrieveConversation,
  sendMessage,
} from '../../../shared/contract/operations.ts';
import { toMessageId } from '../../../shared/ids.ts';
import { conversationKey, messageKey } from '../../../shared/table/keys/keys.ts';
import type { MessageTombstone } from '../../../shared/table/messages/log/message-item.ts';
import { call, type Person } from '../../acceptance/support/api.ts';
import type { Read } from './delayed-writes.ts';
import { hour, type Items } from './table-items.ts';

/** Creates a conversation with tombstones of messages deleted an hour ago. Returns its id. */
async function seedTombstones(items: Items, nora: Person, count: number): Promise<string> {
  const { id } = await call(nora, createConversation, { body: { contact_id: 'nora' } });
  const previous_at = Date.now() - hour;
  for (let sequence = 1; sequence <= count; sequence++) {
    const tombstone: MessageTombstone = {
      ...{ sequence, previous_at, deleted_at: previous_at, deletion: 'a deletion' },
    };
    await items.put({ ...messageKey(id, sequence), ...tombstone });
  }
  await items.update(conversationKey(id), {
    UpdateExpression: 'SET message_count = :count',
    ExpressionAttributeValues: { ':count': count },
  });
  return id;
}

/** Reads a conversation with many tombstones, so that the reader compacts them. */
export async function readAboveTombstones(items: Items, nora: Person, read: Read): Promise<void> {
  const id = await seedTombstones(items, nora, 700);
  const sentAt = Date.now() - hour;
  await read(nora, id, toMessageId({ conversationId: id, sequence: 700, sentAt }));
}

/** Counts unread messages among many tombstones. The count stores bounds of tombstone ranges. */
export async function countAboveTombstones(items: Items, nora: Person): Promise<void> {
  const query = { 'expand[]': 'unread_count' };
  const path = { conversation_id: await seedTombstones(items, nora, 101) };
  await call(nora, retrieveConversation, { path, query });
  await seedTombstones(items, nora, 101);
  await call(nora, listConversations, { query });
}

/**
 * Deletes new messages, without listing any, until a deletion scans its neighbors and compacts
 * tombstones.
 */
export async function deleteUntil(
  items: Items,
  nora: Person,
  isEnough: () => boolean,
): Promise<void> {
  const conversation_id = await seedTombstones(items, nora, 100);
  while (!isEnough()) {
    const body = { conversation_id, message: 'Not for long' };
    const { id: message_id } = await call(nora, sendMessage, { body });
    await call(nora, deleteMessage, { path: { message_id } });
  }
}
