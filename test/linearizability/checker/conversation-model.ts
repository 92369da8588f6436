import type { Conversation, Span } from './conversation-state.ts';
import { type Operation, personOf, type Reply, type Request } from './history.ts';
import type { Model } from './linearize.ts';
import { isPossiblePage } from './possible-page.ts';
import { isPossibleUnreadCount } from './possible-unread-count.ts';

type Asked<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>;

/** What is known of a whole history. */
export interface HistoryFacts {
  /** The ids of the messages that anybody has seen: they have to grow with the log. */
  ids: ReadonlyMap<string, string>;
  /** When the answer came by which each was seen first. */
  seenAt: ReadonlyMap<string, number>;
  /** Since then there may be messages that nobody has seen: all that they can do is to make more of a page. */
  unseenSince: number;
  /** Who sent each message, by its text. */
  senders: ReadonlyMap<string, string>;
}

export const conversationModel = ({
  ids,
  seenAt,
  unseenSince,
  senders,
}: HistoryFacts): Model<Conversation, Operation> => ({
  initial: { log: [], deleted: new Set(), gone: false, read: new Map() },
  keyOf: ({ log, deleted, gone, read }) =>
    JSON.stringify([log, [...deleted].sort(), gone, [...read].sort()]),
  isLook: ({ request, reply }) => reply !== undefined && !isChange(request, reply),
  step: (now, operation, begun) => {
    const { request, reply, invoked, responded } = operation;
    const person = personOf(operation);
    if (!reply || isChange(request, reply)) return applyChange(now, request, { ids, person });
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

/** The conversation with the change made; undefined where it changes nothing. */
function applyChange(
  now: Conversation,
  request: Request,
  { ids, person }: { ids: ReadonlyMap<string, string>; person: string },
): Conversation | undefined {
  if (now.gone) return undefined;
  if (request.kind === 'read up to') return withRead(now, person, request.message.text);
  if (request.kind === 'delete conversation') return { ...now, gone: true };
  if (request.kind === 'delete') {
    const { text } = request.message;
    return request.own && isStored(now, text)
      ? { ...now, deleted: new Set(now.deleted).add(text) }
      : undefined;
  }
  if (request.kind !== 'send' || now.log.includes(request.text)) return undefined;
  return isNext(now, request.text, ids) ? { ...now, log: [...now.log, request.text] } : undefined;
}

/** It never goes back. */
function withRead(now: Conversation, person: string, text: string): Conversation | undefined {
  const given = now.log.indexOf(text) + 1;
  if (given === 0) return undefined;
  const before = now.read.get(person) ?? 0;
  return { ...now, read: new Map(now.read).set(person, Math.max(given, before)) };
}

/** Its id is above all that are there. */
function isNext({ log }: Conversation, text: string, ids: ReadonlyMap<string, string>): boolean {
  const id = ids.get(text);
  const last = ids.get(log.at(-1) ?? '');
  return last === undefined || (id !== undefined && last < id);
}

/** Whether a request that changes nothing may be answered so. */
function isPossibleReply(request: Request, reply: Reply, span: Span): boolean {
  const { now } = span;
  switch (request.kind) {
    case 'send':
      return reply.kind === 'sent' ? isRepeated(request, now) : isTooLate(request, reply, span);
    case 'list':
      return isRefusal(reply, 404) ? now.gone : isPossiblePage(request, reply, span);
    case 'retrieve':
      return isStored(now, request.message.text) ? reply.kind === 'message' : isRefusal(reply, 404);
    case 'delete':
      return isStored(now, request.message.text)
        ? !request.own && isRefusal(reply, 403)
        : isRefusal(reply, 404);
    case 'read up to':
    case 'count':
    case 'delete conversation':
      return now.gone && isRefusal(reply, 404);
  }
}

const isRefusal = (reply: Reply, status: number): boolean =>
  reply.kind === 'refused' && reply.status === status;

const isStored = ({ log, deleted, gone }: Conversation, text: string): boolean =>
  !gone && log.includes(text) && !deleted.has(text);

const isRepeated = ({ keyed, text }: Asked<'send'>, { log }: Conversation): boolean =>
  keyed && log.includes(text);

/**
 * The conversation is gone. A key's record comes with its message: once that has been seen, whoever asks is given the first
 * reply. A twin under way may have its place already, and not yet its message: who then finds the conversation gone
 * cannot know that it will have been sent before.
 */
const isTooLate = ({ text }: Asked<'send'>, reply: Reply, { now, wasSeen }: Span): boolean =>
  isRefusal(reply, 404) && now.gone && !wasSeen(text);
