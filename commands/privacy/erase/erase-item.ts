import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../../../shared/api-error.ts';
import { clock, toSeconds } from '../../../shared/clock.ts';
import type { Inbox } from '../../../shared/inbox.ts';
import { feedRetentionSeconds } from '../../../shared/retention.ts';
import { unblockContact } from '../../../shared/table/blocks/change-block.ts';
import { putNew } from '../../../shared/table/calls/access.ts';
import { unassign } from '../../../shared/table/conversations/write/assign-steps.ts';
import { deleteConversation } from '../../../shared/table/conversations/write/delete-conversation.ts';
import { toErasedSettings } from '../../../shared/table/erased-contact.ts';
import { type Chunk, emptyChunk } from '../../../shared/table/feed/feed-chunk.ts';
import { scheduleMaintenance } from '../../../shared/table/feed/feed-maintenance.ts';
import {
  eraseMembership,
  eraseMembershipCount,
} from '../../../shared/table/group-changes/erase-membership.ts';
import { settingsKey } from '../../../shared/table/keys/keys.ts';
import { changeMessage } from '../../../shared/table/messages/write/change-message.ts';
import { deleteMessage } from '../../../shared/table/messages/write/delete-message.ts';
import { deleteItems } from '../../stage/batch-items.ts';
import type { StageTable } from '../../stage/stage-table.ts';
import { toTableCaller } from '../../stage/table-caller.ts';
import type { FoundItem } from '../items/find-person-items.ts';

/**
 * Erases one item of a person. If an API operation can erase the item, calls the operation's code,
 * which also causes events and merges tombstones. Ignores items that are already deleted. If the
 * item is a conversation, deletes the whole conversation for all participants.
 */
export async function eraseItem(
  { item, conversation }: FoundItem,
  id: string,
  table: StageTable,
): Promise<void> {
  const groups = conversation?.group_id === undefined ? [] : [conversation.group_id];
  const caller = toTableCaller(id, groups);
  try {
    switch (item.kind) {
      case 'conversation':
        return await deleteConversation(item.conversation.id, caller, undefined);
      case 'message':
        if (item.isSent) return await deleteMessage(item.message.id, caller, undefined);
        await changeMessage(
          item.message.id,
          caller,
          { reactions: new Map(item.reactions.map((name) => [name, []])) },
          undefined,
          // Does not write the profile: it is erased, so the write would be refused.
          async () => {},
        );
        return;
      case 'settings':
        await table.client.send(
          new PutCommand({ TableName: table.name, Item: toErasedSettings(item.key, clock.now()) }),
        );
        return;
      case 'assignment':
        if (conversation) await unassign(conversation, id);
        return;
      case 'block':
        await unblockContact({ blocker: id, blocked: item.blockedId });
        return;
      case 'membership':
        await eraseMembership(id, item.membership.group_id);
        return;
      case 'membership_count':
        return await eraseMembershipCount(id);
      case 'group':
        return;
      case 'upload':
        // After this deletion, the purge worker deletes the file.
        if (item.attachment.message_id === undefined) await deleteItems(table, [{ ...item.key }]);
        return;
      case 'events':
        return await eraseEvents({ kind: 'contact', id }, item.chunk);
      default:
        return await deleteItems(table, [{ ...item.key }]);
    }
  } catch (error) {
    const isDeleted = error instanceof ApiError && error.code === 'not_found';
    if (!isDeleted) throw error;
  }
}

/**
 * Empties a feed chunk but retains its entry count, so that no sequence number is reused and
 * earlier cursors expire. Schedules feed maintenance first, because a maintenance run that finds
 * the newest chunk empty does not schedule the next run.
 */
async function eraseEvents(inbox: Inbox, chunk: Chunk): Promise<void> {
  await scheduleMaintenance(inbox, toSeconds(clock.now()) + feedRetentionSeconds);
  // If a writer changes the chunk concurrently, this call does nothing, and the next search empties
  // the chunk.
  await emptyChunk(inbox, chunk);
}

/**
 * Prevents functions from storing the person's settings in a conversation. Has no effect if the
 * conversation already contains the person's settings.
 */
export const preventSettings = (conversationId: string, contactId: string) =>
  putNew(toErasedSettings(settingsKey(conversationId, contactId), clock.now()));
