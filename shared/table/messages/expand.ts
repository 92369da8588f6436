import type { Caller } from '../../caller.ts';
import type { Contact } from '../../contract/contact.ts';
import type { Conversation } from '../../contract/conversation.ts';
import type { Expansion } from '../../contract/expand.ts';
import { getItems } from '../calls/access.ts';
import { getContacts } from '../contacts.ts';
import {
  type ConversationItem,
  conversationSeenBy,
  type View,
  visibleTo,
} from '../conversations/items.ts';
import { otherContact } from '../conversations/participants.ts';
import { getSettings, type Settings, settingsFrom } from '../conversations/settings.ts';
import { conversationKey, type Key, messageKey, settingsKey } from '../keys/keys.ts';
import { countUnread } from './count-unread.ts';
import { isMessage, type MessageItem, messageFrom, toLogEntry } from './items.ts';
import { newestMessage } from './read-log.ts';

/** A conversation that was found. */
export interface Found {
  conversation: ConversationItem;
  settings?: Settings;
  /** What of it was read strongly in this request; what an index tells may be behind. */
  isSure: 'both' | 'conversation' | 'neither';
}

type Expanded = Pick<Conversation, 'contact' | 'last_message' | 'unread_count'>;

/**
 * What was found, as the caller sees it, with what it is to bring along: one call for the settings, the conversations and
 * the messages at their last places, beside one for contacts; then a query for each conversation whose last place has no
 * message, one for each that has something unread, and a call for contacts of senders. Nothing is marked by it. Fewer, at
 * least one, where more calls would be needed to count what is unread than a request has time for.
 */
export async function showConversations(
  caller: Caller,
  found: readonly Found[],
  words: readonly Expansion[],
): Promise<Conversation[]> {
  const isPlain = !words.includes('last_message') && !words.includes('unread_count');
  const lookUp = isPlain ? lookUpSettings : lookUpMessages;
  const others = words.includes('contact')
    ? found.flatMap(({ conversation }) => otherContact(conversation, caller.id) ?? [])
    : [];
  const [known] = await Promise.all([lookUp(caller, found, words), getContacts(others)]);
  const senders = known.flatMap(({ newest }) => newest?.sent_by ?? []);
  const contacts = await getContacts([...others, ...senders]);
  return known.map(({ view, newest, unread }) => ({
    ...conversationSeenBy(caller.id, view.conversation, view.settings),
    ...expanded(caller, view, { words, newest, unread, contacts }),
  }));
}

/** What one conversation brings along; undefined where it is not asked to. */
export async function expansionOf(
  caller: Caller,
  view: View,
  words: readonly Expansion[],
): Promise<Expanded | undefined> {
  if (words.length === 0) return undefined;
  const [shown] = await showConversations(caller, [{ ...view, isSure: 'both' }], words);
  const names = Object.entries(shown ?? {}).filter(([name]) => words.some((word) => word === name));
  return Object.fromEntries(names);
}

/** A conversation as it is shown, and its newest message, where that was looked for and there is one. */
interface Known {
  view: View;
  newest?: MessageItem | undefined;
  unread?: number;
}

async function lookUpSettings(caller: Caller, found: readonly Found[]): Promise<Known[]> {
  const missing = found.flatMap(({ conversation, settings }) =>
    settings ? [] : [conversation.id],
  );
  const settingsOf = await getSettings(caller.id, missing);
  return found.map(({ conversation, settings }) => ({
    view: { conversation, settings: settings ?? settingsOf(conversation.id) },
  }));
}

/** No message is shown, or counted, of a conversation that was not read strongly in this request. */
async function lookUpMessages(
  caller: Caller,
  found: readonly Found[],
  words: readonly Expansion[],
): Promise<Known[]> {
  const [withMessage, withCount] = [words.includes('last_message'), words.includes('unread_count')];
  const keys = found.flatMap(({ conversation: { id, message_count }, settings, isSure }) => [
    ...(isSure === 'neither' ? [conversationKey(id)] : []),
    ...(!settings || (withCount && isSure !== 'both') ? [settingsKey(id, caller.id)] : []),
    ...(withMessage && message_count > 0 ? [messageKey(id, message_count)] : []),
  ]);
  const items = await getItems(keys);
  const named = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  const itemAt = ({ pk, sk }: Key) => named.get(`${pk} ${sk}`);

  const views = found.map(({ conversation, settings, isSure }) => {
    const { id } = conversation;
    const own = settingsFrom(itemAt(settingsKey(id, caller.id)));
    return {
      view: { conversation, settings: settings ?? own },
      now: isSure === 'neither' ? visibleTo(caller, itemAt(conversationKey(id))) : conversation,
      readPlace: (isSure === 'both' ? settings?.read_place : own.read_place) ?? 0,
    };
  });
  const newestOf = async ({ view, now }: (typeof views)[number]) => {
    if (!now || now.message_count === 0) return undefined;
    const { id, message_count } = view.conversation;
    const last = now.message_count === message_count && itemAt(messageKey(id, message_count));
    const entry = last ? toLogEntry(last) : undefined;
    // A place that is not decided yet: whatever it will hold comes later than what is below it.
    return entry && isMessage(entry) ? entry : newestMessage(id);
  };
  const toCount = views.map(({ now, readPlace }) =>
    now && now.message_count > readPlace
      ? { conversationId: now.id, readerId: caller.id, readPlace }
      : undefined,
  );
  const [newest, unread] = await Promise.all([
    Promise.all(withMessage ? views.map(newestOf) : []),
    withCount ? countUnread(toCount) : found.map(() => 0),
  ]);
  return unread.flatMap((count, n) => {
    const view = views[n]?.view;
    return view ? [{ view, newest: newest[n], unread: count }] : [];
  });
}

interface Looked {
  words: readonly Expansion[];
  newest: MessageItem | undefined;
  unread: number | undefined;
  contacts: (id: string) => Contact;
}

function expanded(
  caller: Caller,
  { conversation }: View,
  { words, newest, unread = 0, contacts }: Looked,
): Expanded {
  const other = otherContact(conversation, caller.id);
  return {
    ...(words.includes('contact') && { contact: other === null ? null : contacts(other) }),
    ...(words.includes('last_message') && {
      last_message: newest ? messageFrom(contacts(newest.sent_by), newest) : null,
    }),
    ...(words.includes('unread_count') && { unread_count: unread }),
  };
}
