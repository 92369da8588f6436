import { expect } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import {
  deleteConversation,
  deleteMessage,
  listMessages,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { getConversations } from './api-calls.ts';
import { notFoundError } from './expected-errors.ts';
import { refused, request } from './invoke-handler.ts';

/** Expects operations on the conversation and its message to return 404, and lists to omit both. */
export async function expectNotFound(as: Caller, id: string, message_id: string) {
  const [conversationPath, messagePath] = [{ conversation_id: id }, { message_id }];
  const refusals = [
    refused(retrieveConversation, { as, path: conversationPath }),
    refused(updateConversation, { as, path: conversationPath, body: { is_muted: false } }),
    refused(updateConversation, {
      as,
      path: conversationPath,
      body: { pinned_message_id: message_id },
    }),
    refused(deleteConversation, { as, path: conversationPath }),
    refused(deleteConversation, {
      as,
      path: conversationPath,
      headers: { 'If-Match': '*' },
    }),
    refused(listMessages, { as, query: { conversation_id: id } }),
    refused(sendMessage, { as, body: { conversation_id: id, message: 'Hello?' } }),
  ];
  expect(await Promise.all(refusals)).toEqual(refusals.map(() => notFoundError('conversation_id')));
  const ofMessage = [
    refused(retrieveMessage, { as, path: messagePath }),
    refused(updateMessage, { as, path: messagePath, body: { message: 'Hello?' } }),
    refused(deleteMessage, { as, path: messagePath }),
  ];
  expect(await Promise.all(ofMessage)).toEqual(ofMessage.map(() => notFoundError('message_id')));
  for (const query of [{}, { muted: 'true' }]) {
    const { data } = await getConversations(as, { ...query, limit: '100' });
    expect(data.map((one) => one.id)).not.toContain(id);
  }
  const across = await request(listMessages, { as, query: {} });
  expect(JSON.stringify(across.body)).not.toContain(id);
}
