import type { Operation } from './operation.ts';
import { createAttachment, retrieveAttachment } from './operations/attachments.ts';
import { listBusinesses, retrieveBusiness } from './operations/businesses.ts';
import {
  createConversation,
  deleteConversation,
  listConversations,
  listReaders,
  retrieveConversation,
  updateConversation,
} from './operations/conversations.ts';
import { listEvents, retrieveLive } from './operations/events.ts';
import {
  createGroup,
  deleteGroup,
  listGroupMembers,
  listGroups,
  putGroupMember,
  removeGroupMember,
  retrieveGroup,
  updateGroup,
} from './operations/groups.ts';
import {
  deleteMessage,
  listMessages,
  retrieveMessage,
  sendMessage,
  updateMessage,
} from './operations/messages.ts';
import {
  createBlock,
  createReport,
  deleteBlock,
  listBlocks,
  retrieveContact,
  retrieveSettings,
  updateSettings,
} from './operations/people.ts';

export * from './operations/attachments.ts';
export * from './operations/businesses.ts';
export * from './operations/conversations.ts';
export * from './operations/events.ts';
export * from './operations/groups.ts';
export * from './operations/messages.ts';
export * from './operations/people.ts';

/** All operations of the API. The stack, the documents and the tests derive from this list. */
export const operations = [
  listMessages,
  sendMessage,
  retrieveMessage,
  updateMessage,
  deleteMessage,
  createAttachment,
  retrieveAttachment,
  listConversations,
  createConversation,
  retrieveConversation,
  updateConversation,
  deleteConversation,
  listReaders,
  createGroup,
  listGroups,
  retrieveGroup,
  updateGroup,
  deleteGroup,
  listGroupMembers,
  putGroupMember,
  removeGroupMember,
  retrieveSettings,
  updateSettings,
  retrieveContact,
  listBlocks,
  createBlock,
  deleteBlock,
  createReport,
  listBusinesses,
  retrieveBusiness,
  listEvents,
  retrieveLive,
] as const satisfies readonly Operation[];
