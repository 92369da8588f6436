import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { ApiError } from '../../../errors.ts';
import { requireMatch } from '../../../etag.ts';
import { update } from '../../calls/access.ts';
import { withContactUpdate } from '../../contacts.ts';
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
 * Changes a message, and gives it as it then is; nothing of it is written if that is how it was. A plain change is tried at
 * once, on conditions that it mostly meets; otherwise, or when they fail, it is decided on what the message is, and made
 * on condition that it still is that. Throws `not_found` for `message_id`, `not_allowed`, `precondition_failed`.
 */
export async function changeMessage(
  id: string,
  caller: Caller,
  change: MessageChange,
  ifMatch: string | undefined,
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
    // A try whose reply was lost has done it.
    return { done: message.change === changeId, message };
  };

  const changeAfterReading = async (key: Key, known: MessageItem): Promise<MessageItem> => {
    let message = known;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      requireMatch(ifMatch, { reply: toMessageState(message) });
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

  // Only who takes part comes to store their contact.
  if (mustRead) {
    const { key, message } = await getMessage(id, caller);
    return (await withContactUpdate(caller, () => changeAfterReading(key, message))).result;
  }
  const { key } = await getMessageLocation(id, caller);
  return (await withContactUpdate(caller, () => changeWithoutReading(key))).result;
}
