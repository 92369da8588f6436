import type { Caller } from '../../../shared/caller.ts';
import {
  createBlock,
  createConversation,
  createReport,
  deleteBlock,
  deleteConversation,
  deleteMessage,
  listBlocks,
  listConversations,
  listMessages,
  retrieveContact,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { ok } from './invoke-handler.ts';

/** Each function of this file returns the reply's body and throws if the call fails. */
export const create = (
  as: Caller,
  body: { contact_id?: string; group_id?: string; business_id?: string; distinct?: boolean },
) => ok(createConversation, { as, body });

export const send = (as: Caller, conversation_id: string, message: string, more: object = {}) =>
  ok(sendMessage, { as, body: { conversation_id, message, ...more } });

export const list = (as: Caller, conversation_id: string, query: Record<string, string> = {}) =>
  ok(listMessages, { as, query: { conversation_id, ...query } });

export const getMessage = (as: Caller, message_id: string) =>
  ok(retrieveMessage, { as, path: { message_id } });

export const getConversation = (as: Caller, conversation_id: string) =>
  ok(retrieveConversation, { as, path: { conversation_id } });

export const edit = (as: Caller, message_id: string, body: object) =>
  ok(updateMessage, { as, path: { message_id }, body });

export const react = (as: Caller, message_id: string, reactions: object) =>
  edit(as, message_id, { reactions });

export const removeMessage = (as: Caller, message_id: string) =>
  ok(deleteMessage, { as, path: { message_id } });

export const getConversations = (as: Caller, query: Record<string, string | string[]> = {}) =>
  ok(listConversations, { as, query });

export const changeConversation = (as: Caller, conversation_id: string, body: object) =>
  ok(updateConversation, { as, path: { conversation_id }, body });

export const removeConversation = (as: Caller, conversation_id: string) =>
  ok(deleteConversation, { as, path: { conversation_id } });

export const block = (as: Caller, contact_id: string) =>
  ok(createBlock, { as, path: { contact_id } });

export const unblock = (as: Caller, contact_id: string) =>
  ok(deleteBlock, { as, path: { contact_id } });

export const getBlocks = (as: Caller, query: Record<string, string> = {}) =>
  ok(listBlocks, { as, query });

export const getContact = (as: Caller, contact_id: string) =>
  ok(retrieveContact, { as, path: { contact_id } });

export const report = (
  as: Caller,
  body: {
    message_id?: string;
    contact_id?: string;
    public_id?: string;
    reason: string;
    note?: string;
  },
) => ok(createReport, { as, body });
