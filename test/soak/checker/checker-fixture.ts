import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { toSeconds } from '../../../shared/clock.ts';
import type { ErrorCode } from '../../../shared/contract/errors.ts';
import { examples } from '../../../shared/contract/examples.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import {
  createConversation,
  deleteMessage,
  listMessages,
  sendMessage,
} from '../../../shared/contract/operations.ts';
import type { Conversation } from '../../../shared/contract/resources/conversation.ts';
import type { Message } from '../../../shared/contract/resources/message.ts';
import { newConversationId, toMessageId } from '../../../shared/ids.ts';
import type { ObservedReply } from '../../response-invariants/observed-reply.ts';
import { errorReply, goodReply } from '../../response-invariants/sample-replies.ts';
import type { Caller, RequestParts } from '../exchange/exchange.ts';
import { startChecker } from './checker.ts';

const createCaller = (id: string): Caller => ({
  id,
  username: id.toUpperCase(),
  groups: [],
  token: '',
});
export const ann = createCaller('ann');
export const bob = createCaller('bob');
export const carl = createCaller('carl');

export const success = goodReply;
export const errorFor = (code: ErrorCode) =>
  errorReply(code, code === 'not_found' ? 'conversation_id' : null);

const newest = <Item extends { id: string }>(items: Item[]) =>
  items.toSorted((a, b) => (a.id < b.id ? 1 : -1));

const createMessage = (
  conversationId: string,
  text: string,
  by: Caller,
  sequence: number,
): Message => ({
  ...examples['messages/send'].reply,
  id: toMessageId({ conversationId, sequence, sentAt: Date.now() }),
  conversation_id: conversationId,
  contact: {
    ...{ id: by.id, username: by.username, phone_number: null, avatar_url: null },
    ...{ created_at: 1, last_active_at: 1 },
  },
  ...{ message: text, attachments: [] },
  created_at: toSeconds(Date.now()),
});

/**
 * Creates a checker with a conversation between Ann and Bob. Stops the clock, so that a reply is in
 * the same second as its request.
 */
export function createCheckerFixture(isStarved = () => false) {
  jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_500);
  const violations: string[] = [];
  const { model, begin } = startChecker(({ expected }) => violations.push(expected), isStarved);
  const record = (caller: Caller, row: Operation, sent: RequestParts, reply: ObservedReply) =>
    begin(caller, row, sent)(reply);
  let lastSequence = 0;

  const id = newConversationId(Date.now());
  const conversation: Conversation = {
    ...{ id, contact_id: 'bob', group_id: null, pinned_message_id: null },
    ...{ is_pinned: false, is_muted: false, archived_at: null },
    ...{ last_active_at: null, last_opened_at: null, created_at: toSeconds(Date.now()) },
  };
  const created = success(createConversation, conversation);
  record(ann, createConversation, { body: { contact_id: 'bob' } }, created);

  const nextSequence = () => {
    lastSequence += 1;
    return lastSequence;
  };
  const view = (text: string, by: Caller, sequence = nextSequence()) =>
    createMessage(id, text, by, sequence);
  const toSend = (text: string, key?: string): RequestParts => ({
    body: { conversation_id: id, message: text },
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  });

  return {
    violations,
    model,
    begin,
    record,
    conversation,
    view,
    toSend,
    /** Records a send that returned 201. */
    sent: (by: Caller, text: string = randomUUID(), sequence?: number): Message => {
      const shown = view(text, by, sequence);
      record(by, sendMessage, toSend(text), success(sendMessage, shown));
      return shown;
    },
    page: (messages: Message[], hasMore = false) =>
      success(listMessages, { has_more: hasMore, data: newest(messages) }),
    /** Starts a list request. Returns the function that completes the request. */
    listing: (caller: Caller, query: Record<string, string> = {}) =>
      begin(caller, listMessages, { query: { conversation_id: id, ...query } }),
    deleted: (message: Message) =>
      record(
        message.contact.id === 'ann' ? ann : bob,
        deleteMessage,
        { path: { message_id: message.id } },
        success(deleteMessage, { id: message.id, deleted: true }),
      ),
  };
}
