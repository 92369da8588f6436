import { notFound } from '../../shared/api-error.ts';
import type { Caller } from '../../shared/caller.ts';
import { listMessages } from '../../shared/contract/operations.ts';
import type { MessageExpansion } from '../../shared/contract/resources/expand.ts';
import { maxReplyBytes } from '../../shared/contract/schema/list-schema.ts';
import { serve } from '../../shared/http/serve.ts';
import { isConversationId, parseMessageId } from '../../shared/ids.ts';
import { recordLostMark } from '../../shared/log/invocation.ts';
import { countFitting, type Paging, resolveCursor, toPage, toPaging } from '../../shared/paging.ts';
import { getContacts } from '../../shared/table/contacts.ts';
import { getConversation } from '../../shared/table/conversations/items/find-access.ts';
import { recordOpening } from '../../shared/table/conversations/write/record-opening.ts';
import { expandMessages } from '../../shared/table/expansions/expand-messages.ts';
import { withMemberships } from '../../shared/table/groups/list-memberships.ts';
import { listMessagesAcross } from '../../shared/table/messages/across/list-across.ts';
import { readContent } from '../../shared/table/messages/log/content-item.ts';
import {
  countReplyBytes,
  type MessageItem,
  type MessageWithContent,
  toMessageReply,
} from '../../shared/table/messages/log/message-item.ts';
import { openLog, readMessages } from '../../shared/table/messages/log/read-log.ts';
import {
  getMaxMarkable,
  isUnreadBy,
  markRead,
  toMarking,
} from '../../shared/table/messages/write/mark-read.ts';

export const handler = serve(listMessages, ({ caller, query }) => {
  const { conversation_id, peek, expand } = query;
  const options = { paging: toPaging(query), peek, expand };
  return conversation_id === undefined
    ? listAllConversations(caller, options)
    : listOneConversation(caller, conversation_id, options);
});

interface PageOptions {
  paging: Paging;
  peek: boolean;
  expand: readonly MessageExpansion[];
}

/**
 * Lists the messages of a conversation. Unless `peek` is true, marks the messages as read and the
 * conversation as opened.
 */
async function listOneConversation(
  caller: Caller,
  conversationId: string,
  { paging, peek, expand }: PageOptions,
) {
  if (!isConversationId(conversationId)) throw notFound('conversation_id');
  const rule = 'must be the id of a message of this conversation';
  const start = await resolveCursor(paging, rule, ({ id }) => {
    const position = parseMessageId(id);
    return position?.conversationId === conversationId ? position : undefined;
  });
  const openedLog = openLog({ conversationId, ...toRange(paging), from: start?.sequence });
  // Access is checked while this read runs. If the caller has no access, no code awaits the read,
  // so its rejection is ignored.
  openedLog.catch(() => {});
  const conversation = await getConversation(conversationId, caller);
  if (!conversation) throw notFound('conversation_id');

  const { messages } = await readMessages(await openedLog);
  const { found, toReply } = await readDetails(caller, messages, expand);
  const marking = toMarking(caller.id, conversation.conversation);
  // Limits the page so that all its unread messages can be marked as read.
  const maxItems = Math.min(countFitting(found.map(toReply)), getMaxMarkable(marking, found));
  const page = toPage(found, paging, ({ id }) => id, maxItems);
  if (peek) return { ...page, data: page.data.map(toReply) };
  const isNew = page.data.map((message) => isUnreadBy(marking, message));
  const opening = { sequence: page.data[0]?.sequence, hasNewMessage: isNew.includes(true) };
  const [marked] = await Promise.all([
    Promise.all(page.data.map((message, n) => (isNew[n] ? markRead(message, marking) : message))),
    recordOpening(conversation, caller.id, opening).catch(recordLostMark),
  ]);
  return { ...page, data: marked.map(toReply) };
}

/** Lists the messages of all the caller's conversations without marking them as read. */
async function listAllConversations(tokenCaller: Caller, { paging, expand }: PageOptions) {
  const start = await resolveCursor(paging, 'must be the id of a message', ({ id }) =>
    parseMessageId(id),
  );
  const caller = await withMemberships(tokenCaller);
  const messages = await listMessagesAcross({ caller, start, ...toRange(paging) });
  const { found, toReply } = await readDetails(caller, messages, expand);
  const shown = found.map(toReply);
  return toPage(shown, paging, ({ id }) => id, countFitting(shown));
}

/**
 * Reads the content, senders and expansions of the messages that fit into one reply, and of the
 * next message.
 */
async function readDetails(
  caller: Caller,
  messages: MessageItem[],
  expand: readonly MessageExpansion[],
) {
  let bytes = 0;
  const overIndex = messages.findIndex((message) => {
    bytes += countReplyBytes(message);
    return bytes > maxReplyBytes;
  });
  const fitting = overIndex === -1 ? messages : messages.slice(0, overIndex + 1);
  const [contacts, addContent, getExpansion] = await Promise.all([
    getContacts(fitting.map(({ sent_by }) => sent_by)),
    readContent(fitting),
    expandMessages(caller, fitting, expand),
  ]);
  const toReply = (message: MessageWithContent) => ({
    ...toMessageReply(caller.id, contacts(message.sent_by), message),
    ...getExpansion?.(message),
  });
  return { found: fitting.map(addContent), toReply };
}

const toRange = ({ backwards, count }: Paging) =>
  ({ direction: backwards ? 'newer' : 'older', count }) as const;
