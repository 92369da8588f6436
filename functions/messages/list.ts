import { listMessages } from '../../shared/contract/operations.ts';
import { invalid, notFound } from '../../shared/errors.ts';
import { serve } from '../../shared/http/serve.ts';
import { isConversationId, parseMessageId } from '../../shared/ids.ts';
import { type Paging, pageOf, pagingOf } from '../../shared/paging.ts';
import { getContacts } from '../../shared/table/contacts.ts';
import { getConversation } from '../../shared/table/conversations.ts';
import { isNewTo, markRead } from '../../shared/table/mark-read.ts';
import { messageFrom } from '../../shared/table/message-items.ts';
import { messagesOf, readLog } from '../../shared/table/read-log.ts';
import { noteOpening } from '../../shared/table/settings.ts';

export const handler = serve(listMessages, async ({ caller, query }) => {
  const conversationId = query.conversation_id;
  if (!isConversationId(conversationId)) throw notFound('conversation_id');
  const paging = pagingOf(query);
  const range = {
    conversationId,
    direction: paging.backwards ? 'newer' : 'older',
    from: placeOf(paging.cursor, conversationId),
    count: paging.limit + 1,
  } as const;
  const [known, stretch] = await Promise.all([
    getConversation(conversationId, caller),
    readLog(range),
  ]);
  if (!known) throw notFound('conversation_id');

  const page = pageOf(await messagesOf(stretch), paging, ({ id }) => id);
  const isNew = page.data.map((message) => isNewTo(caller.id, message));
  const [contacts, messages] = await Promise.all([
    getContacts(page.data.map(({ sent_by }) => sent_by)),
    Promise.all(page.data.map((message, n) => (isNew[n] ? markRead(message) : message))),
    noteOpening(conversationId, caller.id, known.settings, isNew.includes(true)),
  ]);
  return {
    ...page,
    data: messages.map((message) => messageFrom(contacts(message.sent_by), message)),
  };
});

/** The place in the log that a cursor names; a message's id tells it even when the message is gone. */
function placeOf(cursor: Paging['cursor'], conversationId: string): number | undefined {
  if (!cursor) return undefined;
  const position = parseMessageId(cursor.value.split('~', 1).join());
  if (position?.conversationId === conversationId) return position.sequence;
  throw invalid(cursor.parameter, 'must be the id of a message of this conversation');
}
