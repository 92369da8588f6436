import { notFound } from '../../shared/api-error.ts';
import { toSeconds } from '../../shared/clock.ts';
import { listReaders } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { type Cursor, formatCursor, resolveCursor, toPage, toPaging } from '../../shared/paging.ts';
import { getConversation } from '../../shared/table/conversations/items/conversation-item.ts';
import {
  compareReaders,
  type ReaderPosition,
  readReaders,
} from '../../shared/table/conversations/query/read-readers.ts';
import { findMessageIds } from '../../shared/table/messages/query/find-message-ids.ts';

export const handler = serve(listReaders, async ({ caller, path, query }) => {
  const id = path.conversation_id;
  if (!(await getConversation(id, caller))) throw notFound('conversation_id');
  const readers = await readReaders(id);
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
  const page = toPage(found, paging, toCursor);
  const sequences = page.data.flatMap(({ readSequence }) => readSequence || []);
  const findId = await findMessageIds(id, sequences);
  return {
    ...page,
    data: page.data.map(({ contactId, openedAt, readSequence }) => ({
      contact_id: contactId,
      last_read_message_id: findId(readSequence) ?? null,
      last_opened_at: toSeconds(openedAt),
    })),
  };
});

/** Returns the position in a cursor of a `Link` header: that of the reader when it was listed. */
const toPosition = ({ id, position = '' }: Cursor): ReaderPosition | undefined =>
  /^\d{1,15}$/.test(position) ? { contactId: id, openedAt: Number(position) } : undefined;
