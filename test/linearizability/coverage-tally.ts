import { type Operation, personOf } from './checker/history.ts';

type Sign = (one: Operation, history: readonly Operation[]) => boolean;

/** Events that a run must contain. A run without them proves nothing. */
const coverageSigns = {
  'a change concurrent with another operation': (one, history) =>
    isChange(one) && history.some((other) => other !== one && overlap(one, other)),
  'a send overtaken by a later send': (one, history) =>
    history.some((other) => other.invoked > one.invoked && isBefore(other, one)),
  'a stored message whose sender got no reply': ({ request, reply }, history) =>
    !reply && request.kind === 'send' && history.some((other) => shows(other, request.text)),
  'a replayed send': ({ reply }) => reply?.kind === 'sent' && reply.replayed,
  'a deleted message': ({ request, reply }) =>
    request.kind === 'delete' && reply?.kind === 'deleted',
  'a deleted conversation': ({ request, reply }) =>
    request.kind === 'delete conversation' && reply?.kind === 'deleted',
  'a request after the deletion': ({ reply }) => reply?.kind === 'refused' && reply.status === 404,
  'a page of messages from a cursor': ({ request, reply }) =>
    request.kind === 'list' &&
    request.cursor !== undefined &&
    reply?.kind === 'page' &&
    reply.messages.length > 0,
  'unread messages': ({ reply }) => reply?.kind === 'counted' && reply.unread > 0,
  'an unread count while the same person opens the conversation': (one, history) =>
    one.reply?.kind === 'counted' &&
    history.some(
      (other) => isOpening(other) && personOf(other) === personOf(one) && overlap(one, other),
    ),
  'a message marked as last read': ({ reply }) => reply?.kind === 'noted',
  'a send while one person blocks the other': ({ request, reply }) =>
    request.kind === 'send' && reply?.kind === 'refused' && reply.status === 403,
  'a send concurrent with a block': (one, history) =>
    one.reply?.kind === 'sent' &&
    history.some((other) => other.request.kind === 'block' && overlap(one, other)),
  'a page with has_more: true': ({ reply }) => reply?.kind === 'page' && reply.hasMore,
} as const satisfies Record<string, Sign>;

export const countSigns = (histories: readonly (readonly Operation[])[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries<Sign>(coverageSigns).map(([name, holds]) => {
      const counts = histories.map(
        (history) => history.filter((one) => holds(one, history)).length,
      );
      return [name, counts.reduce((sum, count) => sum + count, 0)];
    }),
  );

const readKinds: Operation['request']['kind'][] = ['list', 'retrieve', 'count'];
const isChange = ({ request }: Operation) => !readKinds.includes(request.kind);

const isOpening = ({ request }: Operation) =>
  request.kind === 'read up to' || (request.kind === 'list' && !request.peek);

const overlap = (a: Operation, b: Operation) => a.invoked < b.responded && b.invoked < a.responded;

const isBefore = (a: Operation, b: Operation) =>
  a.reply?.kind === 'sent' && b.reply?.kind === 'sent' && a.reply.message.id < b.reply.message.id;

const shows = ({ reply }: Operation, text: string) =>
  reply?.kind === 'page' && reply.messages.some((message) => message.text === text);
