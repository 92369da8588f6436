import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { ApiError } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { requireIfMatch } from '../../../etag.ts';
import { update } from '../../calls/access.ts';
import { touchContact } from '../../contacts.ts';
import type { Key } from '../../keys/keys.ts';
import { MessageItem, toMessageState } from '../log/message-item.ts';
import { getMessage, getMessageLocation, requireMessage } from '../query/get-message.ts';
import {
  type ChangePlan,
  canPlanWithoutReading,
  type MessageChange,
  planChange,
  planWithoutReading,
} from './plan-change.ts';
import { toUpdateExpression } from './to-update-expression.ts';

const maxAttempts = 10;

/**
 * Changes a message and returns it; writes nothing if nothing changes. First attempts a plain
 * change on conditions that usually hold. Otherwise, or if they fail, reads the message and writes
 * on condition that it is unchanged. `updateContact` runs after the access check. Throws
 * `not_found` for `message_id`, `not_allowed`, `precondition_failed`.
 */
export async function changeMessage(
  id: string,
  caller: Caller,
  change: MessageChange,
  ifMatch: string | undefined,
  updateContact: (caller: Caller) => Promise<unknown> = touchContact,
): Promise<MessageItem> {
  const mustRead = ifMatch !== undefined || !canPlanWithoutReading(change, caller);
  const changeId = randomUUID();
  const write = async (
    key: Key,
    plan: ChangePlan,
  ): Promise<{ done: boolean; message: MessageItem }> => {
    const expression = toUpdateExpression(plan, { id, callerId: caller.id, changeId });
    const written = await update({ Key: key, ...expression, ReturnValues: 'ALL_NEW' });
    if (written.done) return { done: true, message: v.parse(MessageItem, written.item) };
    const message = requireMessage(written.found, id);
    // An attempt whose reply was lost has made the change.
    return { done: message.change === changeId, message };
  };

  const changeAfterReading = async (key: Key, known: MessageItem): Promise<MessageItem> => {
    let message = known;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      requireIfMatch(ifMatch, { reply: toMessageState(message) });
      const plan = planChange(message, change, caller);
      if (!plan) return message;
      const written = await write(key, plan);
      if (written.done) return written.message;
      message = written.message;
    }
    throw new ApiError('unavailable');
  };
  const changeWithoutReading = async (key: Key): Promise<MessageItem> => {
    const { done, message } = await write(key, planWithoutReading(change));
    return done ? message : changeAfterReading(key, message);
  };

  if (mustRead) {
    const { key, message } = await getMessage(id, caller);
    await updateContact(caller);
    return changeAfterReading(key, message);
  }
  const { key } = await getMessageLocation(id, caller);
  await updateContact(caller);
  return changeWithoutReading(key);
}
