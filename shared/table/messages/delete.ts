import { randomUUID } from 'node:crypto';
import type { Caller } from '../../caller.ts';
import { clock } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import { requireMatch } from '../../etag.ts';
import { transact, update } from '../calls/access.ts';
import { conversationKey } from '../keys/keys.ts';
import { getMessage, getPlace, messageIn, type Place } from './get.ts';
import { Marker, MessageItem, messageState } from './items.ts';
import { lookAround } from './look-around.ts';

const mostTries = 10;

/** What of a message does not stay in its marker. */
const content = Object.keys(MessageItem.entries).filter((name) => !(name in Marker.entries));

/**
 * Deletes a message of the caller's: only a marker stays at its place. If the message is pinned, it is unpinned in the
 * same instant. Throws `not_found` for `message_id`, `not_allowed`, `precondition_failed`.
 */
export async function deleteMessage(
  id: string,
  caller: Caller,
  ifMatch: string | undefined,
): Promise<void> {
  const { conversation, sequence } = await makeMarker(id, caller, ifMatch);
  await lookAround(conversation.id, sequence);
}

async function makeMarker(id: string, caller: Caller, ifMatch: string | undefined): Promise<Place> {
  const known = ifMatch === undefined ? undefined : await getMessage(id, caller);
  const place = known ?? (await getPlace(id, caller));
  const { key, conversation } = place;
  // Short, as it stays in the marker.
  const deletion = randomUUID().slice(0, 8);
  let message = known?.message;
  for (let tries = 0; tries < mostTries; tries++) {
    if (message) requireDeletable(message, caller, ifMatch);
    const unchanged = ifMatch !== undefined;
    const marker = { Key: key, ...markerExpression(id, deletion, caller, message, unchanged) };
    if (!message?.pinned) {
      const written = await update(marker);
      // A try whose reply was lost has done it.
      if (written.done || written.found?.deletion === deletion) return place;
      message = messageIn(written.found, id);
    } else {
      const unpin = { Key: conversationKey(conversation.id), ...unpinExpression(id) };
      const { done } = await transact([{ update: marker }, { update: unpin }]);
      if (done) return place;
      ({ message } = await getMessage(id, caller));
    }
  }
  throw new ApiError('unavailable');
}

function requireDeletable(message: MessageItem, caller: Caller, ifMatch: string | undefined): void {
  if (message.sent_by !== caller.id) {
    throw new ApiError('not_allowed', { message: 'Only its sender can delete a message.' });
  }
  requireMatch(ifMatch, { reply: messageState(message) });
}

/** Makes a marker of the message, if it is the caller's and, as far as it is known, still as it was. */
function markerExpression(
  id: string,
  deletion: string,
  caller: Caller,
  known: MessageItem | undefined,
  unchanged: boolean,
) {
  return {
    UpdateExpression: `SET deletion = :deletion, deleted_at = :now REMOVE ${content.map((_, n) => `#${n}`).join(', ')}`,
    ConditionExpression: [
      'id = :id',
      'sent_by = :caller',
      known?.pinned ? 'attribute_exists(pinned)' : 'attribute_not_exists(pinned)',
      ...(known && unchanged ? ['version = :version'] : []),
    ].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(content.map((name, n) => [`#${n}`, name])),
    ExpressionAttributeValues: {
      ':id': id,
      ':caller': caller.id,
      ':deletion': deletion,
      ':now': clock.now(),
      ...(known && unchanged && { ':version': known.version }),
    },
  };
}

const unpinExpression = (id: string) => ({
  UpdateExpression: 'REMOVE pinned_message_id ADD version :one',
  ConditionExpression: 'pinned_message_id = :id',
  ExpressionAttributeValues: { ':id': id, ':one': 1 },
});
