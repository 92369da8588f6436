import { expect } from '@jest/globals';
import * as v from 'valibot';
import type { Operation } from '../../shared/contract/operation.ts';
import fc from '../support/setup/fast-check.ts';
import { callService, withoutProfiles } from './service.ts';
import {
  type ConversationModel,
  getSettings,
  isBlocking,
  type MessageModel,
  type Model,
} from './service-model.ts';

export type Command = fc.AsyncCommand<Model, undefined>;

/** Returns a command that runs after `elapsed` milliseconds of the model's time. */
export const step = (
  description: string,
  elapsed: number,
  run: (model: Model) => Promise<void>,
  possible: (model: Model) => boolean = () => true,
): Command => ({
  check: (model) => possible(model),
  run: async (model) => {
    model.now += elapsed;
    await run(model);
  },
  toString: () => description,
});

export const Created = v.object({ id: v.string() });

export async function expectReply(
  model: Model,
  caller: string,
  row: Operation,
  call: Parameters<typeof callService>[3],
  expected: number | object,
): Promise<void> {
  const { status, body } = await callService(model, caller, row, call);
  if (typeof expected === 'number') expect(status).toBe(expected);
  else
    expect({ status, body: withoutProfiles(body) }).toEqual({ status: row.status, body: expected });
}

export const pick = <Item>(list: Item[], n: number): Item | undefined => list[n % list.length];

/** Returns any conversation, even if it is deleted or the caller is not a participant. */
export function pickConversation(model: Model, n: number): ConversationModel {
  const one = pick(model.conversations, n);
  if (!one) throw new Error('There is no conversation to pick.');
  return one;
}

export const hasConversation = ({ conversations }: Model) => conversations.length > 0;
export const hasMessage = ({ conversations }: Model) =>
  conversations.some((one) => one.messages.length > 0);

export function pickMessage(
  model: Model,
  n: number,
): { one: ConversationModel; message: MessageModel } {
  const all = model.conversations.flatMap((one) =>
    one.messages.map((message) => ({ one, message })),
  );
  const picked = pick(all, n);
  if (!picked) throw new Error('There is no message to pick.');
  return picked;
}

export function markRead(
  model: Model,
  one: ConversationModel,
  message: MessageModel,
  caller: string,
): boolean {
  const isHidden = one.group_id === null && isBlocking(model, message.sent_by, caller);
  if (message.sent_by === caller || message.read_at !== undefined) return false;
  if (isHidden && message.hidden_read_at !== undefined) return false;
  message.hidden_read_at ??= model.now;
  if (!isHidden) message.read_at = message.hidden_read_at;
  return true;
}

export function recordOpening(
  model: Model,
  one: ConversationModel,
  caller: string,
  { sequence, hasNewReads }: { sequence: number; hasNewReads: boolean },
): void {
  const settings = getSettings(one, caller);
  const { opened_at = 0, read_sequence: lastRead = 0 } = settings;
  const isChanged = hasNewReads || sequence > lastRead || (one.last_message_at ?? 0) > opened_at;
  const recently = settings.opened_at !== undefined && model.now - opened_at < 60_000;
  if (!isChanged && recently) return;
  const readSequence = Math.max(sequence, lastRead);
  one.settings.set(caller, { ...settings, opened_at: model.now, read_sequence: readSequence });
}

export const user = fc.constantFrom('ann', 'bob', 'carl');
export const group = fc.constantFrom('team', 'club');
export const pickNumber = fc.nat(1000);
export const limit = fc.integer({ min: 1, max: 6 });
export const elapsed = fc.integer({ min: 1, max: 45_000 });
