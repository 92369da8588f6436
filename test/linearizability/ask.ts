import * as v from 'valibot';
import { Message } from '../../shared/contract/message.ts';
import type { Operation as Row } from '../../shared/contract/operation.ts';
import {
  deleteConversation,
  deleteMessage,
  listMessages,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
} from '../../shared/contract/operations.ts';
import { observed } from '../oracle/observed.ts';
import { breachesOf } from '../oracle/reply.ts';
import type { Reply, Request, Shown } from './history.ts';

/** Where a conversation is, and who asks. */
export interface Access {
  url: string;
  token: string;
  conversation: string;
}

/** How a request ended: with a reply, or nobody knows how. */
export type Ending = { reply: Reply } | { trouble: string };

/** What nothing that may happen to the table excuses. */
class NotAsPromised extends Error {}

interface Call {
  row: Row;
  path?: string;
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
}

/** What may have happened or not: a service in trouble, too many requests, a twin under way. */
const isUnknown = (status: number) => status >= 500 || status === 429 || status === 409;

/** Asks over HTTP, and breaks off when it takes longer than so many milliseconds. */
export async function ask(
  access: Access,
  request: Request,
  patience: number | undefined,
): Promise<Ending> {
  const { row, path = row.path, query = {}, body, headers } = callOf(request, access.conversation);
  try {
    const response = await fetch(`${access.url}${path}?${new URLSearchParams(query)}`, {
      method: row.method,
      headers: {
        Authorization: `Bearer ${access.token}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      signal: patience === undefined ? null : AbortSignal.timeout(patience),
      ...(body && { body: JSON.stringify(body) }),
    });
    const seen = observed(response.status, response.headers, await response.text());
    const breaches = breachesOf({ row, query }, seen);
    if (breaches.length > 0) throw new NotAsPromised(`${row.id}: ${breaches.join('; ')}`);
    const { status, body: given } = seen;
    if (isUnknown(status)) return { trouble: String(status) };
    if (status !== row.status) return { reply: { kind: 'refused', status } };
    return { reply: replyOf(request, given, response.headers.has('Idempotent-Replayed')) };
  } catch (error) {
    if (error instanceof NotAsPromised || v.isValiError(error)) throw error;
    return { trouble: error instanceof Error ? error.name : String(error) };
  }
}

function callOf(request: Request, conversation: string): Call {
  switch (request.kind) {
    case 'send':
      return {
        row: sendMessage,
        body: { conversation_id: conversation, message: request.text },
        ...(request.keyed && { headers: { 'Idempotency-Key': `${conversation} ${request.text}` } }),
      };
    case 'list': {
      const { limit, cursor, peek = false } = request;
      const query = {
        conversation_id: conversation,
        limit: String(limit),
        peek: String(peek),
      };
      return {
        row: listMessages,
        query: cursor ? { ...query, [cursor.parameter]: cursor.message.id } : query,
      };
    }
    case 'retrieve':
      return { row: retrieveMessage, path: pathOf(retrieveMessage, request.message.id) };
    case 'read up to':
      return {
        row: updateConversation,
        path: pathOf(updateConversation, conversation),
        body: { last_read_message_id: request.message.id },
      };
    case 'count':
      return {
        row: retrieveConversation,
        path: pathOf(retrieveConversation, conversation),
        query: { 'expand[]': 'unread_count' },
      };
    case 'delete':
      return { row: deleteMessage, path: pathOf(deleteMessage, request.message.id) };
    case 'delete conversation':
      return { row: deleteConversation, path: pathOf(deleteConversation, conversation) };
  }
}

const pathOf = ({ path }: Row, id: string) => path.replace(/\{\w+\}/, id);

const Counted = v.object({ unread_count: v.number() });

const shown = ({ id, message }: Message): Shown => ({ id, text: message });

function replyOf({ kind }: Request, given: unknown, replayed: boolean): Reply {
  switch (kind) {
    case 'send':
      return { kind: 'sent', message: shown(v.parse(Message, given)), replayed };
    case 'list': {
      const { data, has_more } = v.parse(listMessages.reply, given);
      return { kind: 'page', messages: data.map(shown), hasMore: has_more };
    }
    case 'retrieve':
      return { kind: 'message', message: shown(v.parse(Message, given)) };
    case 'read up to':
      return { kind: 'noted' };
    case 'count':
      return { kind: 'counted', unread: v.parse(Counted, given).unread_count };
    default:
      return { kind: 'deleted' };
  }
}
