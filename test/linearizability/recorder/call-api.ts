import * as v from 'valibot';
import type { Operation as Row } from '../../../shared/contract/operation.ts';
import {
  createBlock,
  deleteBlock,
  deleteConversation,
  deleteMessage,
  listMessages,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
} from '../../../shared/contract/operations.ts';
import { Message } from '../../../shared/contract/resources/message.ts';
import { findBreaches } from '../../response-invariants/check-reply.ts';
import { toObservedReply } from '../../response-invariants/observed-reply.ts';
import type { Reply, Request, Shown } from '../checker/history.ts';

export interface Access {
  url: string;
  token: string;
  conversation: string;
  /** Contact id of the other person. */
  other: string;
}

/** `failure`: why the outcome is unknown. */
export type CallResult = { reply: Reply } | { failure: string };

/** An error that no injected fault explains. */
class ContractViolation extends Error {}

interface Call {
  row: Row;
  path?: string;
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
}

/**
 * Reports whether the status leaves the outcome unknown. The outcome is unknown after a service
 * failure, too many requests, or a concurrent duplicate.
 */
const isUnknown = (status: number) => status >= 500 || status === 429 || status === 409;

/**
 * Sends a request over HTTP, with a timeout of `timeout` milliseconds. Throws if the reply
 * violates the contract.
 */
export async function callApi(
  access: Access,
  request: Request,
  timeout: number | undefined,
): Promise<CallResult> {
  const { row, path = row.path, query = {}, body, headers } = toCall(request, access);
  try {
    const response = await fetch(`${access.url}${path}?${new URLSearchParams(query)}`, {
      method: row.method,
      headers: {
        Authorization: `Bearer ${access.token}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      signal: timeout === undefined ? null : AbortSignal.timeout(timeout),
      ...(body && { body: JSON.stringify(body) }),
    });
    const seen = toObservedReply(response.status, response.headers, await response.text());
    const breaches = findBreaches({ row, query }, seen);
    if (breaches.length > 0) throw new ContractViolation(`${row.id}: ${breaches.join('; ')}`);
    const { status, body: content } = seen;
    if (isUnknown(status)) return { failure: String(status) };
    if (status !== row.status) return { reply: { kind: 'refused', status } };
    return { reply: toReply(request, content, response.headers.has('Idempotent-Replayed')) };
  } catch (error) {
    if (error instanceof ContractViolation || v.isValiError(error)) throw error;
    return { failure: error instanceof Error ? error.name : String(error) };
  }
}

function toCall(request: Request, { conversation, other }: Access): Call {
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
    case 'block':
      return { row: createBlock, path: pathOf(createBlock, other) };
    case 'unblock':
      return { row: deleteBlock, path: pathOf(deleteBlock, other) };
  }
}

const pathOf = ({ path }: Row, id: string) => path.replace(/\{\w+\}/, id);

const Counted = v.object({ unread_count: v.number() });

const shown = ({ id, message }: Message): Shown => ({ id, text: message });

function toReply({ kind }: Request, body: unknown, replayed: boolean): Reply {
  switch (kind) {
    case 'send':
      return { kind: 'sent', message: shown(v.parse(Message, body)), replayed };
    case 'list': {
      const { data, has_more } = v.parse(listMessages.reply, body);
      return { kind: 'page', messages: data.map(shown), hasMore: has_more };
    }
    case 'retrieve':
      return { kind: 'message', message: shown(v.parse(Message, body)) };
    case 'read up to':
    case 'block':
      return { kind: 'noted' };
    case 'count':
      return { kind: 'counted', unread: v.parse(Counted, body).unread_count };
    default:
      return { kind: 'deleted' };
  }
}
