import type { Caller } from '../../caller.ts';
import type { BusinessRecord } from '../../contract/business/business.ts';
import { toSnakeCaseBusiness } from '../../contract/business/business-formats.ts';
import { parseBusinessGroup } from '../../contract/business/business-group.ts';
import type { Contact } from '../../contract/resources/contact.ts';
import type { Conversation } from '../../contract/resources/conversation.ts';
import type { Expansion } from '../../contract/resources/expand.ts';
import { lookUpBusinesses } from '../businesses/get-business.ts';
import { lookUpItems } from '../calls/access.ts';
import { getContacts } from '../contacts.ts';
import { isStaff } from '../conversations/items/assignment.ts';
import {
  type ConversationView,
  type FoundConversation,
  parseVisibleConversation,
  toConversationReply,
} from '../conversations/items/conversation-item.ts';
import { getOtherContact } from '../conversations/items/participants.ts';
import { getSettings, parseSettings } from '../conversations/items/settings.ts';
import { conversationKey, messageKey, settingsKey } from '../keys/keys.ts';
import { readContent } from '../messages/log/content-item.ts';
import {
  type MessageItem,
  type MessageWithContent,
  parseMessage,
  toMessageReply,
} from '../messages/log/message-item.ts';
import { getNewestMessage } from '../messages/log/read-log.ts';
import { countUnread, noUnread, type UnreadResult } from '../messages/query/count-unread.ts';

type Expanded = Pick<Conversation, Expansion>;

const messageExpansions: readonly Expansion[] = ['last_message', 'unread_count', 'mentioned'];

/**
 * Returns the conversations with their expansions. If unread counts take too many calls, returns
 * fewer conversations, but at least one. Reads settings, conversations, newest messages and
 * contacts in one round of calls, then senders, large contents and businesses in a second round.
 * Queries each conversation that has unread messages or whose newest message was deleted.
 */
export async function expandConversations(
  caller: Caller,
  found: readonly FoundConversation[],
  expansions: readonly Expansion[],
): Promise<Conversation[]> {
  const isPlain = !expansions.some((one) => messageExpansions.includes(one));
  const lookUp = isPlain ? lookUpSettings : lookUpMessages;
  const others = expansions.includes('contact')
    ? found.flatMap(({ conversation }) => getOtherContact(conversation, caller.id) ?? [])
    : [];
  const [details] = await Promise.all([lookUp(caller, found, expansions), getContacts(others)]);
  const publicIds = expansions.includes('business')
    ? found.flatMap(({ conversation }) => parseBusinessGroup(conversation.group_id) ?? [])
    : [];
  const newestMessages = details.flatMap(({ newest }) => newest ?? []);
  const [contacts, addContent, findBusiness] = await Promise.all([
    getContacts([...others, ...newestMessages.map(({ sent_by }) => sent_by)]),
    readContent(newestMessages),
    lookUpBusinesses(publicIds),
  ]);
  return details.map(({ view, newest: entry, unread }) => {
    const newest = entry && addContent(entry);
    return {
      ...toConversationReply(caller.id, view.conversation, view.settings),
      ...toExpansion(caller, view, { expansions, newest, unread, contacts, findBusiness }),
    };
  });
}

export async function getExpansion(
  caller: Caller,
  view: ConversationView,
  expansions: readonly Expansion[],
): Promise<Expanded | undefined> {
  if (expansions.length === 0) return undefined;
  const found: FoundConversation = { ...view, consistentParts: 'both' };
  const [shown = {}] = await expandConversations(caller, [found], expansions);
  const isExpanded = (name: string) => expansions.some((expansion) => expansion === name);
  return Object.fromEntries(Object.entries(shown).filter(([name]) => isExpanded(name)));
}

interface ConversationDetails {
  view: ConversationView;
  newest?: MessageItem | undefined;
  unread?: UnreadResult;
}

async function lookUpSettings(
  caller: Caller,
  found: readonly FoundConversation[],
): Promise<ConversationDetails[]> {
  const missing = found.flatMap(({ conversation, settings }) =>
    settings ? [] : [conversation.id],
  );
  const settingsOf = await getSettings(caller.id, missing);
  return found.map(({ conversation, settings }) => ({
    view: { conversation, settings: settings ?? settingsOf(conversation.id) },
  }));
}

/**
 * Looks up newest messages and unread counts. Rereads conversations that came from an index,
 * because the caller may no longer be a participant.
 */
async function lookUpMessages(
  caller: Caller,
  found: readonly FoundConversation[],
  expansions: readonly Expansion[],
): Promise<ConversationDetails[]> {
  const withMessage = expansions.includes('last_message');
  const withCount = expansions.includes('unread_count') || expansions.includes('mentioned');
  const keys = found.flatMap(
    ({ conversation: { id, message_count }, settings, consistentParts }) => [
      ...(consistentParts === 'neither' ? [conversationKey(id)] : []),
      ...(!settings || (withCount && consistentParts !== 'both')
        ? [settingsKey(id, caller.id)]
        : []),
      ...(withMessage && message_count > 0 ? [messageKey(id, message_count)] : []),
    ],
  );
  const itemAt = await lookUpItems(keys);

  const views = found.map(({ conversation, settings, consistentParts }) => {
    const { id, message_count } = conversation;
    const own = parseSettings(itemAt(settingsKey(id, caller.id)));
    const current =
      consistentParts === 'neither'
        ? parseVisibleConversation(caller, itemAt(conversationKey(id)))
        : conversation;
    const isCurrent = current?.message_count === message_count;
    const last = isCurrent ? itemAt(messageKey(id, message_count)) : undefined;
    return {
      view: { conversation, settings: settings ?? own },
      current,
      lastMessage: parseMessage(last),
      readSequence: (consistentParts === 'both' ? settings?.read_place : own.read_place) ?? 0,
    };
  });
  const findNewest = async ({ current, lastMessage }: (typeof views)[number]) => {
    if (!current || current.message_count === 0) return undefined;
    // Does not fill gaps: a send into a gap above the returned message only adds a newer message.
    return lastMessage ?? getNewestMessage(current.id);
  };
  const toCount = views.map(({ current, lastMessage, readSequence }) => {
    if (!current) return undefined;
    const { id, message_count } = current;
    const isOwnLast = lastMessage?.sent_by === caller.id;
    return message_count > readSequence + (isOwnLast ? 1 : 0)
      ? { conversationId: id, readerId: caller.id, readSequence, messageCount: message_count }
      : undefined;
  });
  const [newest, unread] = await Promise.all([
    Promise.all(withMessage ? views.map(findNewest) : []),
    withCount ? countUnread(toCount) : found.map(() => noUnread),
  ]);
  return unread.flatMap((count, n) => {
    const view = views[n]?.view;
    return view ? [{ view, newest: newest[n], unread: count }] : [];
  });
}

interface ExpansionInput {
  expansions: readonly Expansion[];
  newest: MessageWithContent | undefined;
  unread: UnreadResult | undefined;
  contacts: (id: string) => Contact;
  findBusiness: (publicId: string) => BusinessRecord | undefined;
}

function toExpansion(
  caller: Caller,
  { conversation }: ConversationView,
  { expansions, newest, unread = noUnread, contacts, findBusiness }: ExpansionInput,
): Expanded {
  const other = getOtherContact(conversation, caller.id);
  const publicId = parseBusinessGroup(conversation.group_id);
  const business = publicId === undefined ? undefined : findBusiness(publicId);
  return {
    ...(expansions.includes('contact') && { contact: other === null ? null : contacts(other) }),
    ...(expansions.includes('last_message') && {
      last_message: newest ? toMessageReply(caller.id, contacts(newest.sent_by), newest) : null,
    }),
    ...(expansions.includes('unread_count') && { unread_count: unread.unread }),
    ...(expansions.includes('mentioned') && { mentioned: unread.isMentioned }),
    ...(expansions.includes('business') && {
      business: business ? toSnakeCaseBusiness(business) : null,
    }),
    ...(expansions.includes('assigned_to') && {
      assigned_to: (isStaff(conversation, caller) && conversation.assigned_to) || null,
    }),
  };
}
