import {
  type ConversationFields,
  createConversation,
  replyToConversation,
  replyToConversationList,
} from './conversation-replies.ts';
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
import { replyToPut, replyToUpload, type UploadFields } from './upload-replies.ts';

export interface SimulatedService {
  /** Returns the reply from the present state. */
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
  /** Expires all events so far. */
  expireFeeds(): void;
  /** Called after the newest message was read, before the unread messages are counted. */
  beforeCounting?: () => void;
}

/** Returns the service as one process without faults. Feeds lag changes, and pushes lag feeds. */
export function createSimulatedService(options: SimulatedServiceOptions): SimulatedService {
  const state = createState(options);
  const service: SimulatedService = {
    conversations: state.conversations,
    getGroups: (who) => getGroups(state, who),
    create: (who, to) => createConversation(state, who, to),
    send: (who, to, text) => sendMessage(state, who, to, text),
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
  const [, , resource, id] = path.split('/').map(decodeURIComponent);
  if (resource === 'files') return replyToPut(state, id ?? '');
  if (resource === 'attachments') return replyToUpload(state, who, body, request.idempotencyKey);
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
