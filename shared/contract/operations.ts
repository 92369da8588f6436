import * as v from 'valibot';
import { Conversation, CreateConversation } from './conversation.ts';
import { listOf, listQuery } from './list.ts';
import { Message, SendMessage } from './message.ts';
import type { Operation } from './operation.ts';
import { Id } from './values.ts';

const bodyErrors = [
  'parameter_missing',
  'parameter_invalid',
  'body_malformed',
  'body_too_large',
  'content_type_unsupported',
] as const;

export const sendMessage = {
  id: 'messages/send',
  method: 'POST',
  path: '/v1/messages',
  summary: 'Send a message',
  description: 'Appends a message to a conversation that the caller takes part in.',
  body: SendMessage,
  reply: Message,
  status: 201,
  errors: [...bodyErrors, 'not_found'],
  versioned: true,
  calls: { table: ['UpdateItem', 'PutItem'] },
} as const satisfies Operation;

export const listMessages = {
  id: 'messages/list',
  method: 'GET',
  path: '/v1/messages',
  summary: 'List messages',
  description:
    'Newest first. Marks the messages it gives as read, and the conversation as opened by the caller.',
  query: listQuery({
    conversation_id: v.pipe(Id, v.description('The conversation whose messages are listed.')),
  }),
  reply: listOf(Message),
  status: 200,
  errors: ['parameter_missing', 'parameter_invalid', 'not_found'],
  list: true,
  calls: { table: ['BatchGetItem', 'Query', 'UpdateItem', 'PutItem'] },
} as const satisfies Operation;

export const retrieveMessage = {
  id: 'messages/retrieve',
  method: 'GET',
  path: '/v1/messages/{message_id}',
  summary: 'Retrieve a message',
  description: 'Marks it as read when the caller did not send it.',
  pathParameters: v.object({ message_id: Id }),
  reply: Message,
  status: 200,
  errors: ['not_found'],
  versioned: true,
  calls: { table: ['BatchGetItem', 'UpdateItem'] },
} as const satisfies Operation;

export const createConversation = {
  id: 'conversations/create',
  method: 'POST',
  path: '/v1/conversations',
  summary: 'Create a conversation',
  description:
    'With a contact, with a group, or with both: then a group conversation that the contact takes part in too.',
  body: CreateConversation,
  reply: Conversation,
  status: 201,
  errors: [...bodyErrors, 'not_allowed'],
  versioned: true,
  calls: { table: ['PutItem', 'UpdateItem'] },
} as const satisfies Operation;

export const retrieveConversation = {
  id: 'conversations/retrieve',
  method: 'GET',
  path: '/v1/conversations/{conversation_id}',
  summary: 'Retrieve a conversation',
  description: 'As the caller sees it.',
  pathParameters: v.object({ conversation_id: Id }),
  reply: Conversation,
  status: 200,
  errors: ['not_found'],
  versioned: true,
  calls: { table: ['BatchGetItem'] },
} as const satisfies Operation;

/** The API: the one list that everything else reads. */
export const operations = [
  listMessages,
  sendMessage,
  retrieveMessage,
  createConversation,
  retrieveConversation,
] as const satisfies readonly Operation[];
