import type { Event } from '../../../client/src/index.ts';
import { markReadUpTo } from './conversation-replies.ts';
import {
  findConversation,
  findMessage,
  notFound,
  replayOrCreate,
  type ServiceState,
  type SimulatedReply,
  toReply,
} from './service-state.ts';
import {
  newestFirst,
  newMessage,
  type SimulatedConversation,
  type SimulatedMessage,
  toMessage,
} from './simulated-conversations.ts';
import { publishToAll } from './simulated-feeds.ts';
import { takeUploads } from './upload-replies.ts';

export interface MessageFields {
  conversation_id?: string;
  message?: string;
  attachments?: readonly { id: string }[];
  reactions?: { like: string[] };
}

export function sendMessage(
  state: ServiceState,
  contactId: string,
  conversation: SimulatedConversation,
  text: string,
  files: readonly string[] = [],
): SimulatedMessage {
  const message = newMessage(conversation, contactId, text, Date.now(), files);
  conversation.messages.push(message);
  conversation.last = message.at;
  publishToAll(state, { type: 'message.created', conversation, message, version: 1 });
  return message;
}

export function replyToSend(
  state: ServiceState,
  contactId: string,
  body: MessageFields,
  idempotencyKey: string,
): SimulatedReply {
  const { conversation_id = '', message = '', attachments = [] } = body;
  return replayOrCreate(state, idempotencyKey, body, () => {
    const to = findConversation(state, contactId, conversation_id);
    if (!to) return notFound;
    const uploads = takeUploads(state, conversation_id, attachments);
    if (!Array.isArray(uploads)) return uploads;
    const names = uploads.map(({ name }) => name);
    return toReply(toMessage(to, sendMessage(state, contactId, to, message, names)));
  });
}

export function replyToMessageList(
  state: ServiceState,
  contactId: string,
  query: URLSearchParams,
): SimulatedReply {
  const one = findConversation(state, contactId, query.get('conversation_id') ?? '');
  if (!one) return notFound;
  const from = query.get('starting_after');
  const all = newestFirst(one).filter(({ id }) => from === null || id < from);
  const limit = Number(query.get('limit') ?? 10);
  const page = all.slice(0, limit);
  if (query.get('peek') !== 'true') markReadUpTo(state, one, contactId, page[0]?.sequence ?? 0);
  return toReply({
    has_more: all.length > limit,
    data: page.map((message) => toMessage(one, message)),
  });
}

export function replyToMessage(
  state: ServiceState,
  contactId: string,
  method: string,
  id: string,
  body: MessageFields,
): SimulatedReply {
  const found = findMessage(state, contactId, id);
  if (!found) return notFound;
  const { conversation, message } = found;
  if (method === 'DELETE') {
    message.isDeleted = true;
    if (conversation.pin === id) conversation.pin = null;
    publishChange(state, conversation, message, 'message.deleted');
    return toReply({ id, deleted: true });
  }
  message.text = body.message ?? message.text;
  if (body.reactions) message.likedBy = body.reactions.like;
  publishChange(state, conversation, message, 'message.updated', body.message === undefined);
  return toReply(toMessage(conversation, message));
}

function publishChange(
  state: ServiceState,
  conversation: SimulatedConversation,
  message: SimulatedMessage,
  type: Event['type'],
  keepsContent = false,
): void {
  message.version += 1;
  const { version } = message;
  publishToAll(state, { type, conversation, message: { ...message }, version, keepsContent });
}
