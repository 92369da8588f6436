import type { Caller } from '../../shared/caller.ts';
import { listMessages } from '../../shared/contract/operations.ts';
import { parseCursor } from '../../shared/cursor.ts';
import { invalid, notFound } from '../../shared/errors.ts';
import { serve } from '../../shared/http/serve.ts';
import { isConversationId, type MessagePosition, parseMessageId } from '../../shared/ids.ts';
import { type Paging, pageOf, pagingOf } from '../../shared/paging.ts';
import { getContacts } from '../../shared/table/contacts.ts';
import { getConversation } from '../../shared/table/conversations.ts';
import { isNewTo, markRead } from '../../shared/table/mark-read.ts';
import { messageFrom } from '../../shared/table/message-items.ts';
import { messagesAcross } from '../../shared/table/messages-across.ts';
import { messagesOf, readLog } from '../../shared/table/read-log.ts';
import { noteOpening } from '../../shared/table/settings.ts';

export const handler = serve(listMessages, ({ caller, query }) =>
  query.conversation_id === undefined
    ? listAcross(caller, pagingOf(query))
    : listOne(caller, query.conversation_id, pagingOf(query)),
);

/** The messages of one conversation, which the caller opens by it and has read then. */
async function listOne(caller: Caller, conversationId: string, paging: Paging) {
  if (!isConversationId(conversationId)) throw notFound('conversation_id');
  const rule = 'must be the id of a message of this conversation';
  const start = startOf(paging, rule, (position) => position.conversationId === conversationId);
  const [known, stretch] = await Promise.all([
    getConversation(conversationId, caller),
    readLog({ conversationId, ...wayOf(paging), from: start?.sequence }),
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
}

/** The messages of all the caller's conversations: a look at what there is, which leaves it unread. */
async function listAcross(caller: Caller, paging: Paging) {
  const start = startOf(paging, 'must be the id of a message');
  const found = await messagesAcross({ caller, start, ...wayOf(paging) });
  const page = pageOf(found, paging, ({ id }) => id);
  const contacts = await getContacts(page.data.map(({ sent_by }) => sent_by));
  return {
    ...page,
    data: page.data.map((message) => messageFrom(contacts(message.sent_by), message)),
  };
}

const wayOf = ({ backwards, limit }: Paging) =>
  ({ direction: backwards ? 'newer' : 'older', count: limit + 1 }) as const;

/** The position that a cursor names: a message's id tells it even when the message is gone. */
function startOf(
  { cursor }: Paging,
  rule: string,
  isInList: (position: MessagePosition) => boolean = () => true,
): MessagePosition | undefined {
  if (!cursor) return undefined;
  const position = parseMessageId(parseCursor(cursor.value).id);
  if (position && isInList(position)) return position;
  throw invalid(cursor.parameter, rule);
}
