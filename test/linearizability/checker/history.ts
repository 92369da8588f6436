/** A message as a reply shows it. In a history every message has a text of its own, so that it is known by it. */
export interface Shown {
  id: string;
  text: string;
}

/** What somebody asks of the one conversation that a history is about. */
export type Request =
  /** `keyed`: with an Idempotency-Key that stands for this text. */
  | { kind: 'send'; text: string; keyed: boolean }
  /** `peek`: it opens nothing. */
  | { kind: 'list'; limit: number; cursor?: Cursor | undefined; peek?: boolean }
  /** Says that everything up to the message was read. */
  | { kind: 'read up to'; message: Shown }
  /** How many messages are unread. */
  | { kind: 'count' }
  | { kind: 'retrieve'; message: Shown }
  /** `own`: who asks is who sent it. */
  | { kind: 'delete'; message: Shown; own: boolean }
  | { kind: 'delete conversation' };

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

/** One request of a client, and how it ended. Times are of one monotonic clock, in milliseconds. */
export interface Operation {
  client: string;
  request: Request;
  invoked: number;
  /** Infinity when nobody knows how it ended: then it may still happen, at any time, or never. */
  responded: number;
  reply?: Reply;
  /** Why it is not known how it ended. */
  trouble?: string;
}

/** Whose client it is: `ann2` is one of Ann's. */
export const personOf = ({ client }: Operation): string => client.replace(/\d+$/, '');

/** The messages that an operation's request and reply name. */
export function findMessages({ request, reply }: Operation): Shown[] {
  const asked = 'message' in request ? [request.message] : [];
  const cursor = request.kind === 'list' && request.cursor ? [request.cursor.message] : [];
  return [...asked, ...cursor, ...(reply ? messagesIn(reply) : [])];
}

/** The messages that a reply shows. */
export const messagesIn = (reply: Reply): Shown[] =>
  reply.kind === 'page' ? reply.messages : 'message' in reply ? [reply.message] : [];
