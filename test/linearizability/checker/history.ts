/** A returned message. The message's text is unique within the history. */
export interface Shown {
  id: string;
  text: string;
}

export type Request =
  /** `keyed`: with an Idempotency-Key derived from this text. */
  | { kind: 'send'; text: string; keyed: boolean }
  /** `peek`: does not mark messages as read. */
  | { kind: 'list'; limit: number; cursor?: Cursor | undefined; peek?: boolean }
  /** Marks all messages up to and including `message` as read. */
  | { kind: 'read up to'; message: Shown }
  | { kind: 'count' }
  | { kind: 'retrieve'; message: Shown }
  /** `own`: the caller is the sender. */
  | { kind: 'delete'; message: Shown; own: boolean }
  | { kind: 'delete conversation' }
  | { kind: 'block' }
  | { kind: 'unblock' };

export interface Cursor {
  parameter: 'starting_after' | 'ending_before';
  message: Shown;
}

export type Reply =
  | { kind: 'sent'; message: Shown; replayed: boolean }
  | { kind: 'page'; messages: Shown[]; hasMore: boolean }
  | { kind: 'message'; message: Shown }
  | { kind: 'deleted' }
  | { kind: 'noted' }
  | { kind: 'counted'; unread: number }
  | { kind: 'refused'; status: number };

/** A client's request and its outcome. Times are in milliseconds, from one monotonic clock. */
export interface Operation {
  client: string;
  request: Request;
  invoked: number;
  /** Infinity if the outcome is unknown: the request may take effect at any later time or never. */
  responded: number;
  reply?: Reply;
  /** Reason for the unknown outcome. */
  failure?: string;
}

/** Returns the person who uses the client: `ann2` is Ann's second client. */
export const personOf = ({ client }: Operation): string => client.replace(/\d+$/, '');

export function findMessages({ request, reply }: Operation): Shown[] {
  const requested = 'message' in request ? [request.message] : [];
  const cursor = request.kind === 'list' && request.cursor ? [request.cursor.message] : [];
  return [...requested, ...cursor, ...(reply ? messagesIn(reply) : [])];
}

export const messagesIn = (reply: Reply): Shown[] =>
  reply.kind === 'page' ? reply.messages : 'message' in reply ? [reply.message] : [];
