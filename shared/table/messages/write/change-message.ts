import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { requireIfMatch } from '../../../etag.ts';
import { update } from '../../calls/access.ts';
import { retryUntilDone } from '../../calls/retry-until-done.ts';
import { touchContact } from '../../contacts.ts';
import type { Key } from '../../keys/keys.ts';
import { readContent, storeContent } from '../log/content-item.ts';
import { MessageItem, type MessageWithContent, toMessageState } from '../log/message-item.ts';
import { getWritableLocation, getWritableMessage, requireMessage } from '../query/get-message.ts';
import {
  type ChangePlan,
  canPlanWithoutReading,
  type MessageChange,
  planChange,
  planWithoutReading,
  toContentUpdate,
} from './plan-change.ts';
import { toUpdateExpression } from './to-update-expression.ts';

/**
 * Changes a message and returns it. If the change does not require reading the message, first
 * attempts a write whose conditions usually hold. Otherwise, or if a condition fails, writes on
 * condition that the message is unchanged since it was read. Calls `updateContact` after the access
 * check. Throws `not_found`, `blocked`, `blocking`, `not_allowed`, `precondition_failed`,
 * `parameter_invalid` or `reactions_full`.
 */
export async function changeMessage(
  id: string,
  caller: Caller,
  change: MessageChange,
  ifMatch: string | undefined,
  updateContact: (caller: Caller) => Promise<unknown> = touchContact,
): Promise<MessageWithContent> {
  const writer = { id, caller, changeId: randomUUID() };
  const changeRequest = { ...writer, change, ifMatch };
  if (ifMatch !== undefined || !canPlanWithoutReading(change, caller)) {
    const { key, message } = await getWritableMessage(id, caller);
    await updateContact(caller);
    return changeAfterReading(key, message, changeRequest);
  }
  const { key } = await getWritableLocation(id, caller);
  await updateContact(caller);
  const { done, message } = await write(key, planWithoutReading(change), writer);
  const completeMessage = (await readContent([message]))(message);
  return done ? completeMessage : changeAfterReading(key, completeMessage, changeRequest);
}

interface Writer {
  id: string;
  caller: Caller;
  changeId: string;
}

function changeAfterReading(
  key: Key,
  known: MessageWithContent,
  { change, ifMatch, ...writer }: Writer & { change: MessageChange; ifMatch: string | undefined },
): Promise<MessageWithContent> {
  let current = known;
  return retryUntilDone(async () => {
    requireIfMatch(ifMatch, { reply: toMessageState(current, writer.caller.id) });
    const planned = planChange(current, change, writer.caller);
    if (!planned) return current;
    const { newContent, ...plan } = planned;
    const content = newContent && toContentUpdate(await storeContent(current, newContent));
    const { done, message } = await write(key, { ...plan, content }, writer);
    const { content_id } = content?.set ?? current;
    const addContent = await readContent([message], [{ ...current, ...newContent, content_id }]);
    current = addContent(message);
    return done ? current : undefined;
  });
}

/**
 * Writes a plan if its conditions hold. Returns the stored message and, as `done`, whether the
 * change has been made. Throws `not_found`.
 */
async function write(key: Key, plan: ChangePlan, { id, caller, changeId }: Writer) {
  const expression = toUpdateExpression(plan, { id, callerId: caller.id, changeId });
  const written = await update({ Key: key, ...expression, ReturnValues: 'ALL_NEW' });
  if (written.done) return { done: true, message: v.parse(MessageItem, written.item) };
  const message = requireMessage(written.found, id);
  // An earlier attempt whose reply was lost may have made the change.
  return { done: message.change === changeId, message };
}
