import type { Operation, Reply, Request, Shown } from './history.ts';

/**
 * Formats a history, one line per operation in request order. Times are in milliseconds since the
 * first request.
 */
export function formatHistory(operations: readonly Operation[], marked?: Operation): string[] {
  const ordered = operations.toSorted((a, b) => a.invoked - b.invoked);
  const start = ordered[0]?.invoked ?? 0;
  const time = (at: number) => (at === Number.POSITIVE_INFINITY ? '?' : (at - start).toFixed(1));
  return ordered.map((operation) => {
    const { client, request, invoked, responded, reply, failure } = operation;
    const times = `${time(invoked).padStart(7)} – ${time(responded).padStart(7)} ms`;
    const outcome = reply ? formatReply(reply) : `unknown (${failure})`;
    const mark = operation === marked ? '✗' : ' ';
    return `${mark} ${times}  ${client.padEnd(8)} ${formatRequest(request).padEnd(40)} → ${outcome}`;
  });
}

function formatRequest(request: Request): string {
  switch (request.kind) {
    case 'send':
      return `sends ${request.text}${request.keyed ? ', with its key' : ''}`;
    case 'list': {
      const { limit, cursor, peek } = request;
      return `${peek ? 'peeks at' : 'lists'} ${limit}${cursor ? ` ${cursor.parameter} ${cursor.message.text}` : ''}`;
    }
    case 'read up to':
      return `has read up to ${request.message.text}`;
    case 'count':
      return 'counts unread messages';
    case 'retrieve':
      return `retrieves ${request.message.text}`;
    case 'delete':
      return `deletes ${request.message.text}${request.own ? '' : ', sent by the other person'}`;
    case 'delete conversation':
      return 'deletes the conversation';
    case 'block':
    case 'unblock':
      return `${request.kind}s the other person`;
  }
}

function formatReply(reply: Reply): string {
  switch (reply.kind) {
    case 'sent':
      return `${reply.replayed ? 'replayed' : 'sent'}: ${formatMessage(reply.message)}`;
    case 'page':
      return `[${reply.messages.map(formatMessage).join(', ')}]${reply.hasMore ? ' and more' : ''}`;
    case 'message':
      return formatMessage(reply.message);
    case 'deleted':
    case 'noted':
      return reply.kind;
    case 'counted':
      return `${reply.unread} unread`;
    case 'refused':
      return `${reply.status}`;
  }
}

/** Formats a message with the sequence number from its id. */
const formatMessage = ({ id, text }: Shown): string => `${text} #${id.slice(26, 34)}`;
