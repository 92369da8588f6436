import { ApiError, notFound } from '../../shared/api-error.ts';
import { toSeconds } from '../../shared/clock.ts';
import { listReaders } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { type Cursor, formatCursor, resolveCursor, toPage, toPaging } from '../../shared/paging.ts';
import { getConversation } from '../../shared/table/conversations/items/find-access.ts';
import {
  type ConversationReader,
  compareReaders,
  type ReaderPosition,
  readReaders,
} from '../../shared/table/conversations/query/read-readers.ts';
import { findMessageIds } from '../../shared/table/messages/query/find-message-ids.ts';
import { findHidingContacts } from '../../shared/table/person-settings.ts';

export const handler = serve(listReaders, async ({ caller, path, query }) => {
  const id = path.conversation_id;
  const view = await getConversation(id, caller);
  if (!view) throw notFound('conversation_id');
  const hidesOther = view.conversation.blocked_by?.has(caller.id);
  const readers = (await readReaders(id)).filter(
    ({ contactId }) => !hidesOther || contactId === caller.id,
  );
  const paging = toPaging(query);
  const rule = 'must be the contact id of a reader of this conversation';
  const start = await resolveCursor(
    paging,
    rule,
    (cursor) => toPosition(cursor) ?? readers.find(({ contactId }) => contactId === cursor.id),
  );
  const direction = paging.backwards ? -1 : 1;
  const ordered = paging.backwards ? readers.toReversed() : readers;
  const found = start
    ? ordered.filter((reader) => direction * compareReaders(start, reader) < 0)
    : ordered;
  const toCursor = ({ contactId, openedAt }: ReaderPosition) => formatCursor(contactId, openedAt);
  const shown = await excludeHiding(caller.id, found, paging.count);
  const page = toPage(shown, paging, toCursor);
  const positions = page.data.map(({ readSequence: sequence }) => ({
    conversationId: id,
    sequence,
  }));
  const findId = await findMessageIds(positions.filter(({ sequence }) => sequence > 0));
  return {
    ...page,
    data: page.data.map(({ contactId, openedAt, readSequence }) => ({
      contact_id: contactId,
      last_read_message_id: findId({ conversationId: id, sequence: readSequence }) ?? null,
      last_opened_at: toSeconds(openedAt),
    })),
  };
});

/**
 * Maximum readers per batch read, which also reads the caller's settings. DynamoDB allows at most
 * 100 items per batch.
 */
const batchSize = 99;
const maxCalls = 25;

/**
 * Returns the first `count` readers who share read receipts; none if the caller hides their own.
 * Throws `too_many_readers` if finding these readers takes more than `maxCalls` calls.
 */
async function excludeHiding(
  callerId: string,
  readers: readonly ConversationReader[],
  count: number,
): Promise<ConversationReader[]> {
  const shown: ConversationReader[] = [];
  const size = Math.min(count, batchSize);
  for (let at = 0; at < readers.length && shown.length < count; at += size) {
    if (at >= maxCalls * size) throw new ApiError('too_many_readers');
    const next = readers.slice(at, at + size);
    const ids = next.map(({ contactId }) => contactId);
    const hiding = await findHidingContacts([...new Set([callerId, ...ids])]);
    if (hiding.has(callerId)) return [];
    shown.push(...next.filter(({ contactId }) => !hiding.has(contactId)));
  }
  return shown.slice(0, count);
}

/** Returns the position at listing time; undefined if the cursor is not from a `Link` header. */
const toPosition = ({ id, position = '' }: Cursor): ReaderPosition | undefined =>
  /^\d{1,15}$/.test(position) ? { contactId: id, openedAt: Number(position) } : undefined;
