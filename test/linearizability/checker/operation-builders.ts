import type { Cursor, Operation, Reply, Request, Shown } from './history.ts';

/** Start and end times in milliseconds. If an operation has no end, its outcome is unknown. */
export type Span = [number, number?];

const operation = ([invoked, responded]: Span, request: Request, reply: Reply): Operation =>
  responded === undefined
    ? {
        client: 'ann',
        request,
        invoked,
        responded: Number.POSITIVE_INFINITY,
        failure: 'aborted',
      }
    : { client: 'ann', request, invoked, responded, reply };

const refused = (status: number): Reply => ({ kind: 'refused', status });

const shown = (sequence: number): Shown => ({
  id: String(sequence).padStart(34, '0'),
  text: `m${sequence}`,
});

export const sends = (sequence: number, span: Span, as = shown(sequence)): Operation =>
  operation(
    span,
    { kind: 'send', text: as.text, keyed: false },
    { kind: 'sent', message: as, replayed: false },
  );

export const sendsWithKey = (sequence: number, span: Span, replayed = false): Operation => {
  const message = shown(sequence);
  return operation(
    span,
    { kind: 'send', text: message.text, keyed: true },
    { kind: 'sent', message, replayed },
  );
};

export const getsConversationNotFound = (sequence: number, span: Span): Operation =>
  operation(span, { kind: 'send', text: `m${sequence}`, keyed: true }, refused(404));

/**
 * Returns a list operation whose reply is the page, newest message first. A final `…` sets
 * `hasMore`.
 */
export const lists = (
  page: (number | '…')[],
  span: Span,
  { limit = 10, ...cursors }: { limit?: number; after?: number; before?: number } = {},
): Operation => {
  const messages = page.filter((sequence) => sequence !== '…').map(shown);
  const cursor: Cursor | undefined =
    cursors.after !== undefined
      ? { parameter: 'starting_after', message: shown(cursors.after) }
      : cursors.before !== undefined
        ? { parameter: 'ending_before', message: shown(cursors.before) }
        : undefined;
  const hasMore = page.includes('…');
  return operation(span, { kind: 'list', limit, cursor }, { kind: 'page', messages, hasMore });
};

export const listsNothingAfterDelete = (span: Span): Operation =>
  operation(span, { kind: 'list', limit: 10 }, refused(404));

export const retrieves = (sequence: number, span: Span): Operation =>
  operation(
    span,
    { kind: 'retrieve', message: shown(sequence) },
    { kind: 'message', message: shown(sequence) },
  );

export const getsMessageNotFound = (sequence: number, span: Span): Operation =>
  operation(span, { kind: 'retrieve', message: shown(sequence) }, refused(404));

export const deletes = (sequence: number, span: Span): Operation =>
  operation(span, { kind: 'delete', message: shown(sequence), own: true }, { kind: 'deleted' });

export const counts = (unread: number, span: Span, client = 'bob'): Operation => ({
  ...operation(span, { kind: 'count' }, { kind: 'counted', unread }),
  client,
});

export const hasReadUpTo = (sequence: number, span: Span): Operation => ({
  ...operation(span, { kind: 'read up to', message: shown(sequence) }, { kind: 'noted' }),
  client: 'bob2',
});

export const by = (client: string, one: Operation): Operation => ({ ...one, client });

export const peeks = (page: number[], span: Span): Operation => {
  const listed = lists(page, span);
  return { ...listed, client: 'bob1', request: { kind: 'list', limit: 10, peek: true } };
};

export const deletesConversation = (span: Span): Operation =>
  operation(span, { kind: 'delete conversation' }, { kind: 'deleted' });

export const blocks = (span: Span): Operation =>
  operation(span, { kind: 'block' }, { kind: 'noted' });

export const unblocks = (span: Span): Operation =>
  operation(span, { kind: 'unblock' }, { kind: 'deleted' });

export const isRefusedToSend = (sequence: number, span: Span): Operation =>
  operation(span, { kind: 'send', text: shown(sequence).text, keyed: false }, refused(403));
