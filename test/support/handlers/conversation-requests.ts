import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../shared/caller.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import {
  createAttachment,
  createReport,
  deleteConversation,
  deleteMessage,
  listConversations,
  listMessages,
  listReaders,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import type { Call } from './gateway-event.ts';

export interface ConversationTarget {
  group_id: string;
  conversation_id: string;
  /** A message that the caller sent. */
  message_id: string;
}

type RequestBuilder = (target: ConversationTarget, as: Caller) => [Operation, Call];

/**
 * Requests in a conversation, keyed by title. Idempotency keys, edited texts and reactions are
 * random, so that repeated sends, edits and reactions take effect.
 */
export const conversationRequests: Record<string, RequestBuilder> = {
  'retrieve the conversation': ({ conversation_id }, as) => [
    retrieveConversation,
    { as, path: { conversation_id } },
  ],
  'retrieve the conversation with its last message': ({ conversation_id }, as) => [
    retrieveConversation,
    { as, path: { conversation_id }, query: { expand: 'last_message' } },
  ],
  'list conversations of the group': ({ group_id }, as) => [
    listConversations,
    { as, query: { group_id } },
  ],
  'peek at messages': ({ conversation_id }, as) => [
    listMessages,
    { as, query: { conversation_id, peek: 'true' } },
  ],
  'list messages': ({ conversation_id }, as) => [listMessages, { as, query: { conversation_id } }],
  'retrieve a message': ({ message_id }, as) => [retrieveMessage, { as, path: { message_id } }],
  'list readers': ({ conversation_id }, as) => [listReaders, { as, path: { conversation_id } }],
  send: ({ conversation_id }, as) => [
    sendMessage,
    { as, body: { conversation_id, message: 'Hello' } },
  ],
  'send with an Idempotency-Key': ({ conversation_id }, as) => [
    sendMessage,
    {
      as,
      headers: { 'Idempotency-Key': randomUUID() },
      body: { conversation_id, message: 'Hello' },
    },
  ],
  'edit a message': ({ message_id }, as) => [
    updateMessage,
    { as, path: { message_id }, body: { message: randomUUID() } },
  ],
  react: ({ message_id }, as) => [
    updateMessage,
    { as, path: { message_id }, body: { reactions: { [randomUUID()]: [as.id] } } },
  ],
  'set a flag': ({ conversation_id }, as) => [
    updateConversation,
    { as, path: { conversation_id }, body: { is_muted: true } },
  ],
  'pin a message': ({ conversation_id, message_id }, as) => [
    updateConversation,
    { as, path: { conversation_id }, body: { pinned_message_id: message_id } },
  ],
  'create an attachment': ({ conversation_id }, as) => [
    createAttachment,
    {
      as,
      body: {
        ...{ conversation_id, name: 'a.png', type: 'image/png', size: 1 },
        sha256: '0'.repeat(43).concat('='),
      },
    },
  ],
  'report a message': ({ message_id }, as) => [
    createReport,
    { as, body: { message_id, reason: 'spam' } },
  ],
  'delete a message': ({ message_id }, as) => [deleteMessage, { as, path: { message_id } }],
  'delete the conversation with If-Match': ({ conversation_id }, as) => [
    deleteConversation,
    { as, path: { conversation_id }, headers: { 'If-Match': '*' } },
  ],
};
