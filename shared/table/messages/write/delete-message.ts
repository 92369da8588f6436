import { randomUUID } from 'node:crypto';
import { ApiError } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { clock } from '../../../clock.ts';
import { requireIfMatch } from '../../../etag.ts';
import { transact, update } from '../../calls/access.ts';
import { toPlaceholders } from '../../calls/expressions.ts';
import { retryUntilDone } from '../../calls/retry-until-done.ts';
import { conversationKey } from '../../keys/keys.ts';
import { sharedChangeAttribute } from '../../keys/names.ts';
import {
  MessageItem,
  MessageTombstone,
  type MessageWithContent,
  toMessageState,
} from '../log/message-item.ts';
import { scanNeighbors } from '../log/scan-neighbors.ts';
import {
  getWritableLocation,
  getWritableMessage,
  type MessageLocation,
  requireWholeMessage,
} from '../query/get-message.ts';

const removed = toPlaceholders(
  Object.keys(MessageItem.entries).filter((name) => !(name in MessageTombstone.entries)),
);

/**
 * Replaces a message with a tombstone, and unpins it. Throws `not_found`, `blocked`, `blocking`,
 * `not_allowed` or `precondition_failed`.
 */
export async function deleteMessage(
  id: string,
  caller: Caller,
  ifMatch: string | undefined,
): Promise<void> {
  const { conversation, sequence } = await replaceWithTombstone(id, caller, ifMatch);
  await scanNeighbors(conversation.id, sequence);
}

async function replaceWithTombstone(
  id: string,
  caller: Caller,
  ifMatch: string | undefined,
): Promise<MessageLocation> {
  const known = ifMatch === undefined ? undefined : await getWritableMessage(id, caller);
  const location = known ?? (await getWritableLocation(id, caller));
  const { key, conversation } = location;
  // The deletion's id is short, because the tombstone stores it.
  const deletion = randomUUID().slice(0, 8);
  let message = known?.message;
  return retryUntilDone(async () => {
    if (message) requireDeletable(message, caller, ifMatch);
    const mustMatch = ifMatch !== undefined;
    const tombstoneUpdate = {
      Key: key,
      ...toTombstoneExpression(id, deletion, caller, message, mustMatch),
    };
    if (!message?.pinned) {
      const written = await update(tombstoneUpdate);
      // An earlier attempt whose reply was lost may have deleted the message.
      if (written.done || written.found?.deletion === deletion) return location;
      message = await requireWholeMessage(written.found, id);
    } else {
      const unpin = { Key: conversationKey(conversation.id), ...toUnpinExpression(id) };
      const { done } = await transact([{ update: tombstoneUpdate }, { update: unpin }]);
      if (done) return location;
      ({ message } = await getWritableMessage(id, caller));
    }
    return undefined;
  });
}

function requireDeletable(
  message: MessageWithContent,
  caller: Caller,
  ifMatch: string | undefined,
): void {
  if (message.sent_by !== caller.id) {
    throw new ApiError('not_allowed', { message: 'Only the sender can delete a message.' });
  }
  requireIfMatch(ifMatch, { reply: toMessageState(message, caller.id) });
}

/**
 * Returns the update that replaces a message with a tombstone. Requires that the caller sent the
 * message. If `known` is pinned, the message must be pinned; otherwise, it must be unpinned. With
 * `mustMatch`, also requires that the message still has the version of `known`.
 */
function toTombstoneExpression(
  id: string,
  deletion: string,
  caller: Caller,
  known: MessageItem | undefined,
  mustMatch: boolean,
) {
  return {
    UpdateExpression: `SET deletion = :deletion, deleted_at = :now REMOVE ${removed.list}`,
    ConditionExpression: [
      'id = :id',
      'sent_by = :caller',
      known?.pinned ? 'attribute_exists(pinned)' : 'attribute_not_exists(pinned)',
      ...(known && mustMatch ? ['version = :version'] : []),
    ].join(' AND '),
    ExpressionAttributeNames: removed.ExpressionAttributeNames,
    ExpressionAttributeValues: {
      ':id': id,
      ':caller': caller.id,
      ':deletion': deletion,
      ':now': clock.now(),
      ...(known && mustMatch && { ':version': known.version }),
    },
  };
}

const toUnpinExpression = (id: string) => ({
  UpdateExpression: `SET ${sharedChangeAttribute} = :true REMOVE pinned_message_id ADD version :one`,
  ConditionExpression: 'pinned_message_id = :id',
  ExpressionAttributeValues: { ':id': id, ':one': 1, ':true': true },
});
