import type { Caller } from '../../shared/caller.ts';
import {
  createConversation,
  listMessages,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
} from '../../shared/contract/operations.ts';
import { ok } from './handlers.ts';

/** What people do, when it goes well; each gives the reply's body. */
export const create = (as: Caller, body: { contact_id?: string; group_id?: string }) =>
  ok(createConversation, { as, body });

export const send = (as: Caller, conversation_id: string, message: string, more: object = {}) =>
  ok(sendMessage, { as, body: { conversation_id, message, ...more } });

export const list = (as: Caller, conversation_id: string, query: Record<string, string> = {}) =>
  ok(listMessages, { as, query: { conversation_id, ...query } });

export const retrieve = (as: Caller, message_id: string) =>
  ok(retrieveMessage, { as, path: { message_id } });

export const look = (as: Caller, conversation_id: string) =>
  ok(retrieveConversation, { as, path: { conversation_id } });
