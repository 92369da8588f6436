import type { Conversation, Span } from './conversation-state.ts';
import { type Operation, personOf, type Reply, type Request } from './history.ts';
import type { Model } from './linearize.ts';
import { isPossiblePage } from './possible-page.ts';
import { isPossibleUnreadCount } from './possible-unread-count.ts';

type RequestOf<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>;

export interface HistoryFacts {
  /** Ids of all returned messages, by text. The ids must increase in log order. */
  ids: ReadonlyMap<string, string>;
  /** Time of the first reply that returned each message. */
  seenAt: ReadonlyMap<string, number>;
  /**
   * Time after which the log may contain messages that no reply has returned. These messages affect
   * only `hasMore` and unread counts.
   */
  unseenSince: number;
  senders: ReadonlyMap<string, string>;
  overlapsBlock(operation: Operation): boolean;
}

export const conversationModel = ({
  ids,
  seenAt,
  unseenSince,
  senders,
  overlapsBlock,
}: HistoryFacts): Model<Conversation, Operation> => ({
  initial: { log: [], deleted: new Set(), isDeleted: false, read: new Map(), blockers: new Set() },
  keyOf: ({ log, deleted, isDeleted, read, blockers }) =>
    JSON.stringify([log, [...deleted].sort(), isDeleted, [...read].sort(), [...blockers].sort()]),
  isRead: ({ request, reply }) => reply !== undefined && !isChange(request, reply),
  step: (now, operation, begun) => {
    const { request, reply, invoked, responded } = operation;
    const person = personOf(operation);
    if (!reply || isChange(request, reply))
      return applyChange(now, operation, { ids, person, overlapsBlock });
    const wasSeen = (text: string) => (seenAt.get(text) ?? responded) <= invoked;
    const span = { begun, now, mayHaveUnseen: responded > unseenSince, wasSeen };
    const isRight =
      reply.kind === 'counted'
        ? isPossibleUnreadCount(person, reply.unread, (text) => senders.get(text), span)
        : isPossibleReply(request, reply, span);
    return isRight ? now : undefined;
  },
});

const isChange = ({ kind }: Request, reply: Reply): boolean =>
  kind === 'send'
    ? reply.kind === 'sent' && !reply.replayed
    : reply.kind === 'deleted' || reply.kind === 'noted';

/** Returns the changed state, or `undefined` if the state does not allow the change. */
function applyChange(
  now: Conversation,
  operation: Operation,
  { ids, person, overlapsBlock }: Pick<HistoryFacts, 'ids' | 'overlapsBlock'> & { person: string },
): Conversation | undefined {
  const { request } = operation;
  if (request.kind === 'block') return { ...now, blockers: new Set(now.blockers).add(person) };
  if (request.kind === 'unblock') {
    return { ...now, blockers: new Set([...now.blockers].filter((one) => one !== person)) };
  }
  if (now.isDeleted) return undefined;
  if (request.kind === 'read up to') return withRead(now, person, request.message.text);
  if (request.kind === 'delete') {
    const { text } = request.message;
    // A deletion that started before a block may take effect after the block.
    return request.own && isStored(now, text) && (!isBlocked(now) || overlapsBlock(operation))
      ? { ...now, deleted: new Set(now.deleted).add(text) }
      : undefined;
  }
  if (isBlocked(now)) return undefined;
  if (request.kind === 'delete conversation') return { ...now, isDeleted: true };
  if (request.kind !== 'send' || now.log.includes(request.text)) return undefined;
  return isNext(now, request.text, ids) ? { ...now, log: [...now.log, request.text] } : undefined;
}

const isBlocked = ({ blockers }: Conversation): boolean => blockers.size > 0;

/**
 * Returns the state after a read up to the message, or `undefined` if the log does not contain the
 * message. The read position never decreases.
 */
function withRead(now: Conversation, person: string, text: string): Conversation | undefined {
  const position = now.log.indexOf(text) + 1;
  if (position === 0) return undefined;
  const before = now.read.get(person) ?? 0;
  return { ...now, read: new Map(now.read).set(person, Math.max(position, before)) };
}

function isNext({ log }: Conversation, text: string, ids: ReadonlyMap<string, string>): boolean {
  const id = ids.get(text);
  const last = ids.get(log.at(-1) ?? '');
  return last === undefined || (id !== undefined && last < id);
}

function isPossibleReply(request: Request, reply: Reply, span: Span): boolean {
  const { now } = span;
  switch (request.kind) {
    case 'send':
      return reply.kind === 'sent' ? isRepeated(request, now) : isTooLate(request, reply, span);
    case 'list':
      return isRefusal(reply, 404) ? now.isDeleted : isPossiblePage(request, reply, span);
    case 'retrieve':
      return isStored(now, request.message.text) ? reply.kind === 'message' : isRefusal(reply, 404);
    case 'delete':
      return isStored(now, request.message.text)
        ? (!request.own || isBlocked(now)) && isRefusal(reply, 403)
        : isRefusal(reply, 404);
    case 'delete conversation':
      return now.isDeleted ? isRefusal(reply, 404) : isBlocked(now) && isRefusal(reply, 403);
    case 'block':
    case 'unblock':
      return isRefusal(reply, 404);
    case 'read up to':
    case 'count':
      return now.isDeleted && isRefusal(reply, 404);
  }
}

const isRefusal = (reply: Reply, status: number): boolean =>
  reply.kind === 'refused' && reply.status === status;

const isStored = ({ log, deleted, isDeleted }: Conversation, text: string): boolean =>
  !isDeleted && log.includes(text) && !deleted.has(text);

const isRepeated = ({ keyed, text }: RequestOf<'send'>, { log }: Conversation): boolean =>
  keyed && log.includes(text);

/**
 * Accepts a refusal if the conversation is deleted or blocked and no earlier reply contained the
 * message. Once a reply has contained the message, a duplicate replays the first reply. Until then,
 * the service may refuse a duplicate, because it cannot detect a concurrent send that has only
 * reserved its sequence number.
 */
const isTooLate = ({ text }: RequestOf<'send'>, reply: Reply, { now, wasSeen }: Span): boolean =>
  (now.isDeleted ? isRefusal(reply, 404) : isBlocked(now) && isRefusal(reply, 403)) &&
  !wasSeen(text);
