import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Caller } from '../../caller.ts';
import { ApiError } from '../../errors.ts';
import { requireMatch } from '../../etag.ts';
import { update } from '../calls/access.ts';
import { besideContact } from '../contacts.ts';
import type { Key } from '../keys/keys.ts';
import { getMessage, getPlace, messageIn } from './get.ts';
import { MessageItem, messageState } from './items.ts';
import {
  type ChangePlan,
  isPlain,
  type MessageChange,
  planChange,
  planUnseen,
} from './plan-change.ts';
import { updateOf } from './plan-to-update.ts';

const mostTries = 10;

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
  const mustKnow = ifMatch !== undefined || !isPlain(change, caller);
  const mark = randomUUID();
  const write = async (
    key: Key,
    plan: ChangePlan,
  ): Promise<{ done: boolean; message: MessageItem }> => {
    const expression = updateOf(plan, { id, callerId: caller.id, mark });
    const written = await update({ Key: key, ...expression, ReturnValues: 'ALL_NEW' });
    if (written.done) return { done: true, message: v.parse(MessageItem, written.item) };
    const message = messageIn(written.found, id);
    // A try whose reply was lost has done it.
    return { done: message.change === mark, message };
  };

  const changeKnown = async (key: Key, known: MessageItem): Promise<MessageItem> => {
    let message = known;
    for (let tries = 0; tries < mostTries; tries++) {
      requireMatch(ifMatch, { reply: messageState(message) });
      const plan = planChange(message, change, caller);
      if (!plan) return message;
      const written = await write(key, plan);
      if (written.done) return written.message;
      message = written.message;
    }
    throw new ApiError('unavailable');
  };
  const changeUnseen = async (key: Key): Promise<MessageItem> => {
    const { done, message } = await write(key, planUnseen(change));
    return done ? message : changeKnown(key, message);
  };

  // Only who takes part comes to store their contact.
  if (mustKnow) {
    const { key, message } = await getMessage(id, caller);
    return (await besideContact(caller, () => changeKnown(key, message))).result;
  }
  const { key } = await getPlace(id, caller);
  return (await besideContact(caller, () => changeUnseen(key))).result;
}
