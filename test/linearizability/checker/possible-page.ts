import type { Span } from './conversation-state.ts';
import type { Reply, Request } from './history.ts';

/**
 * Reports whether a list request may return the page while the conversation changes from `begun` to
 * `now`. The page reflects the messages sent before one point in time between the two states. The
 * service reads messages one by one, so a message deleted during the request may or may not be on
 * the page.
 */
export function isPossiblePage(
  request: Extract<Request, { kind: 'list' }>,
  reply: Reply,
  span: Span,
): boolean {
  const { begun, now } = span;
  if (reply.kind !== 'page' || begun.isDeleted || reply.messages.length > request.limit)
    return false;
  if (reply.hasMore && reply.messages.length < request.limit) return false;
  const texts = reply.messages.map(({ text }) => text);
  for (let end = begun.log.length; end <= now.log.length; end++) {
    const range = rangeOf(request, now.log.slice(0, end));
    if (range && follows(range, texts, reply.hasMore, span)) return true;
  }
  return false;
}

/** Direction of a list request, and the texts in its range, ordered by distance from the cursor. */
interface Range {
  texts: string[];
  upwards: boolean;
}

function rangeOf({ cursor }: Extract<Request, { kind: 'list' }>, log: string[]): Range | undefined {
  if (!cursor) return { texts: log.toReversed(), upwards: false };
  const sequence = log.indexOf(cursor.message.text);
  if (sequence < 0) return undefined;
  const upwards = cursor.parameter === 'ending_before';
  return { texts: upwards ? log.slice(sequence + 1) : log.slice(0, sequence).reverse(), upwards };
}

/**
 * Reports whether the page fits the range: messages missing from the page were deleted, and
 * `hasMore` reflects the messages beyond the page.
 */
function follows(
  { texts, upwards }: Range,
  page: string[],
  hasMore: boolean,
  { begun, now, mayHaveUnseen }: Span,
): boolean {
  const wanted = upwards ? page.toReversed() : page;
  const sequences = wanted.map((text) => texts.indexOf(text));
  if (sequences.some((sequence, n) => sequence <= (sequences[n - 1] ?? -1))) return false;
  if (wanted.some((text) => begun.deleted.has(text))) return false;
  const beyond = (sequences.at(-1) ?? -1) + 1;
  const between = texts.slice(0, beyond).filter((text) => !wanted.includes(text));
  if (!between.every((text) => now.deleted.has(text))) return false;
  const rest = texts.slice(beyond);
  return hasMore
    ? mayHaveUnseen || rest.some((text) => !begun.deleted.has(text))
    : rest.every((text) => now.deleted.has(text));
}
