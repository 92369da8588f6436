import type { GroupMember } from '../../../client/src/index.ts';
import {
  type ConversationFields,
  createConversation,
  replyToConversation,
  replyToConversationList,
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
  /** Applies a user's request to the state, and returns the reply. */
  answer(
    who: string,
    method: string,
    address: string,
    body: unknown,
    idempotencyKey?: string,
  ): SimulatedReply;
  getGroups(who: string): Set<string>;
  conversations: SimulatedConversation[];
  send(who: string, to: SimulatedConversation, text: string): SimulatedMessage;
  create(who: string, to: { contact?: string; group?: string }): SimulatedConversation;
  createGroup(who: string, title: string): SimulatedGroup;
  addMember(group: SimulatedGroup, who: string): void;
  setRole(group: SimulatedGroup, who: string, role: GroupMember['role']): void;
  removeMember(group: SimulatedGroup, who: string): void;
  renameGroup(group: SimulatedGroup, title: string): void;
  deleteGroup(group: SimulatedGroup): void;
  /** Expires all events in the feeds. */
  expireFeeds(): void;
  /** Runs between the read of the last message and the count of unread messages. */
  beforeCounting?: () => void;
}

/** Returns a service without faults that appends and pushes each change after a random delay. */
export function createSimulatedService(options: SimulatedServiceOptions): SimulatedService {
  const state = createState(options);
  const service: SimulatedService = {
    conversations: state.conversations,
    getGroups: (who) => getGroups(state, who),
    create: (who, to) => createConversation(state, who, to),
    send: (who, to, text) => sendMessage(state, who, to, text),
    createGroup: (who, title) => createGroup(state, who, title),
    addMember: (group, who) => addMember(state, group, who),
    setRole: (group, who, role) => setRole(state, group, who, role),
    removeMember: (group, who) => removeMember(state, group, who),
    renameGroup: (group, title) => renameGroup(state, group, title),
    deleteGroup: (group) => deleteGroup(state, group),
    expireFeeds: () => {
      for (const [feed, entries] of state.feeds) state.forgotten.set(feed, entries.length);
    },
    answer: (who, method, address, given, idempotencyKey = '') => {
      const body = { ...(typeof given === 'object' && given) };
      const { beforeCounting } = service;
      return route(state, { who, method, address, body, idempotencyKey, beforeCounting });
    },
  };
  return service;
}

interface SimulatedRequest {
  who: string;
  method: string;
  address: string;
  body: MessageFields & ConversationFields & UploadFields;
  idempotencyKey: string;
  beforeCounting: (() => void) | undefined;
}

function route(state: ServiceState, request: SimulatedRequest): SimulatedReply {
  const { who, method, address, body, beforeCounting } = request;
  const [path = '', search] = address.split('?');
  const query = new URLSearchParams(search);
  const [, , resource, id, part] = path.split('/').map(decodeURIComponent);
  if (resource === 'files') return replyToPut(state, id ?? '');
  if (resource === 'attachments') return replyToUpload(state, who, body, request.idempotencyKey);
  if (resource === 'groups') return replyToGroups(state, who, id, part === 'members');
  if (resource === 'live') return replyToLive(state, who);
  if (resource === 'events') return replyToEvents(state, who, query);
  if (resource === 'messages') {
    if (id !== undefined) return replyToMessage(state, who, method, id, body);
    if (method === 'GET') return replyToMessageList(state, who, query);
    return replyToSend(state, who, body, request.idempotencyKey);
  }
  if (resource !== 'conversations') return notFound;
  return id === undefined
    ? replyToConversationList(state, who, query, beforeCounting)
    : replyToConversation(state, who, method, id, { query, body, beforeCounting });
}
