import type { GroupMember } from '../../../client/src/index.ts';
import {
  type ConversationFields,
  createConversation,
  replyToConversation,
  replyToConversationList,
  replyToReaders,
} from './conversation-replies.ts';
import type { SimulatedGroup } from './group-entries.ts';
import {
  type MessageFields,
  replyToMessage,
  replyToMessageList,
  replyToSend,
  sendMessage,
} from './message-replies.ts';
import {
  createState,
  getGroups,
  notFound,
  type ServiceState,
  type SimulatedReply,
  type SimulatedServiceOptions,
} from './service-state.ts';
import type { SimulatedConversation, SimulatedMessage } from './simulated-conversations.ts';
import { replyToEvents, replyToLive } from './simulated-feeds.ts';
import {
  addMember,
  createGroup,
  deleteGroup,
  removeMember,
  renameGroup,
  replyToGroups,
  setRole,
} from './simulated-groups.ts';
import { replyToPut, replyToUpload, type UploadFields } from './upload-replies.ts';

export interface SimulatedService {
  respond(
    contactId: string,
    method: string,
    address: string,
    body: unknown,
    idempotencyKey?: string,
  ): SimulatedReply;
  getGroups(contactId: string): Set<string>;
  conversations: SimulatedConversation[];
  send(contactId: string, to: SimulatedConversation, text: string): SimulatedMessage;
  create(contactId: string, to: { contact?: string; group?: string }): SimulatedConversation;
  createGroup(contactId: string, title: string): SimulatedGroup;
  addMember(group: SimulatedGroup, contactId: string): void;
  setRole(group: SimulatedGroup, contactId: string, role: GroupMember['role']): void;
  removeMember(group: SimulatedGroup, contactId: string): void;
  renameGroup(group: SimulatedGroup, title: string): void;
  deleteGroup(group: SimulatedGroup): void;
  expireFeeds(): void;
  /** Runs between the read of the last message and the count of unread messages. */
  beforeCounting?: () => void;
}

export function createSimulatedService(options: SimulatedServiceOptions): SimulatedService {
  const state = createState(options);
  const service: SimulatedService = {
    conversations: state.conversations,
    getGroups: (contactId) => getGroups(state, contactId),
    create: (contactId, to) => createConversation(state, contactId, to),
    send: (contactId, to, text) => sendMessage(state, contactId, to, text),
    createGroup: (contactId, title) => createGroup(state, contactId, title),
    addMember: (group, contactId) => addMember(state, group, contactId),
    setRole: (group, contactId, role) => setRole(state, group, contactId, role),
    removeMember: (group, contactId) => removeMember(state, group, contactId),
    renameGroup: (group, title) => renameGroup(state, group, title),
    deleteGroup: (group) => deleteGroup(state, group),
    expireFeeds: () => {
      for (const [feed, entries] of state.feeds) state.forgotten.set(feed, entries.length);
    },
    respond: (contactId, method, address, input, idempotencyKey = '') => {
      const body = { ...(typeof input === 'object' && input) };
      const { beforeCounting } = service;
      return route(state, { contactId, method, address, body, idempotencyKey, beforeCounting });
    },
  };
  return service;
}

interface SimulatedRequest {
  contactId: string;
  method: string;
  address: string;
  body: MessageFields & ConversationFields & UploadFields;
  idempotencyKey: string;
  beforeCounting: (() => void) | undefined;
}

function route(state: ServiceState, request: SimulatedRequest): SimulatedReply {
  const { contactId, method, address, body, beforeCounting } = request;
  const [path = '', search] = address.split('?');
  const query = new URLSearchParams(search);
  const [, , resource, id, part] = path.split('/').map(decodeURIComponent);
  if (resource === 'files') return replyToPut(state, id ?? '');
  if (resource === 'attachments')
    return replyToUpload(state, contactId, body, request.idempotencyKey);
  if (resource === 'groups') return replyToGroups(state, contactId, id, part === 'members');
  if (resource === 'live') return replyToLive(state, contactId);
  if (resource === 'events') return replyToEvents(state, contactId, query);
  if (resource === 'messages') {
    if (id !== undefined) return replyToMessage(state, contactId, method, id, body);
    if (method === 'GET') return replyToMessageList(state, contactId, query);
    return replyToSend(state, contactId, body, request.idempotencyKey);
  }
  if (resource !== 'conversations') return notFound;
  if (part === 'readers') return replyToReaders(state, contactId, id ?? '');
  return id === undefined
    ? replyToConversationList(state, contactId, query, beforeCounting)
    : replyToConversation(state, contactId, method, id, { query, body, beforeCounting });
}
