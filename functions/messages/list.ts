import type { Caller } from '../../shared/caller.ts';
import { listMessages } from '../../shared/contract/operations.ts';
import { notFound } from '../../shared/errors.ts';
import { serve } from '../../shared/http/serve.ts';
import { isConversationId, parseMessageId } from '../../shared/ids.ts';
import { noteLostMark } from '../../shared/log/invocation.ts';
import { type Paging, pageOf, pagingOf, startOf } from '../../shared/paging.ts';
import { countFitting } from '../../shared/reply-size.ts';
import { getContacts } from '../../shared/table/contacts.ts';
import { getConversation } from '../../shared/table/conversations/items/conversation-item.ts';
import { recordOpening } from '../../shared/table/conversations/write/record-opening.ts';
import { listMessagesAcross } from '../../shared/table/messages/across/list-across.ts';
import { type MessageItem, toMessageReply } from '../../shared/table/messages/log/message-item.ts';
import { openLog, readMessages } from '../../shared/table/messages/log/read-log.ts';
import {
  getMaxMarkable,
  isUnreadBy,
  markRead,
} from '../../shared/table/messages/write/mark-read.ts';

export const handler = serve(listMessages, ({ caller, query }) =>
  query.conversation_id === undefined
    ? listAcross(caller, pagingOf(query))
    : listOne(caller, query.conversation_id, pagingOf(query), query.peek),
);

/**
 * Lists the messages of one conversation, opens it for the caller and marks them as read; a peek
 * only lists.
 */
async function listOne(caller: Caller, conversationId: string, paging: Paging, peek: boolean) {
  if (!isConversationId(conversationId)) throw notFound('conversation_id');
  const rule = 'must be the id of a message of this conversation';
  const start = await startOf(paging, rule, ({ id }) => {
    const position = parseMessageId(id);
    return position?.conversationId === conversationId ? position : undefined;
  });
  const opened = openLog({ conversationId, ...wayOf(paging), from: start?.sequence });
  // Access is checked concurrently. Without access, the request fails at once and reads no further.
  opened.catch(() => {});
  const known = await getConversation(conversationId, caller);
  if (!known) throw notFound('conversation_id');

  const { messages: found } = await readMessages(await opened);
  const contacts = await getContacts(found.map(({ sent_by }) => sent_by));
  const asShown = (message: MessageItem) => toMessageReply(contacts(message.sent_by), message);
  // Marks only messages that are returned.
  const most = Math.min(countFitting(found.map(asShown)), getMaxMarkable(caller.id, found));
  const page = pageOf(found, paging, ({ id }) => id, most);
  if (peek) return { ...page, data: page.data.map(asShown) };
  const isNew = page.data.map((message) => isUnreadBy(caller.id, message));
  const opening = { sequence: page.data[0]?.sequence, hasNewMessage: isNew.includes(true) };
  const [messages] = await Promise.all([
    Promise.all(page.data.map((message, n) => (isNew[n] ? markRead(message) : message))),
    recordOpening(known, caller.id, opening).catch(noteLostMark),
  ]);
  return { ...page, data: messages.map(asShown) };
}

/** Lists the messages of all the caller's conversations without marking them as read. */
async function listAcross(caller: Caller, paging: Paging) {
  const start = await startOf(paging, 'must be the id of a message', ({ id }) =>
    parseMessageId(id),
  );
  const found = await listMessagesAcross({ caller, start, ...wayOf(paging) });
  const contacts = await getContacts(found.map(({ sent_by }) => sent_by));
  const shown = found.map((message) => toMessageReply(contacts(message.sent_by), message));
  return pageOf(shown, paging, ({ id }) => id, countFitting(shown));
}

const wayOf = ({ backwards, limit }: Paging) =>
  ({ direction: backwards ? 'newer' : 'older', count: limit + 1 }) as const;
