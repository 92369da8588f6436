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
import { getSettings, settingsFrom } from '../conversations/settings.ts';
import { conversationKey, type Key, messageKey, settingsKey } from '../keys/keys.ts';
import { isMessage, type MessageItem, messageFrom, toLogEntry } from './items.ts';
import { newestMessage } from './read-log.ts';

/** A conversation with the settings, both read strongly in this request; or as an index has it, which may be behind. */
export type Found = View | { conversation: ConversationItem; settings?: undefined };

type Expanded = Pick<Conversation, 'contact' | 'last_message'>;

/**
 * What was found, as the caller sees it, with what it is to bring along: one call for the settings, the conversations and
 * the messages at their last places, beside one for contacts; then a query for each conversation whose last place has no
 * message, and a call for contacts of senders. Nothing is marked by it.
 */
export async function showConversations(
  caller: Caller,
  found: readonly Found[],
  words: readonly Expansion[],
): Promise<Conversation[]> {
  const lookUp = words.includes('last_message') ? lookUpMessages : lookUpSettings;
  const others = words.includes('contact')
    ? found.flatMap(({ conversation }) => otherContact(conversation, caller.id) ?? [])
    : [];
  const [known] = await Promise.all([lookUp(caller, found), getContacts(others)]);
  const senders = known.flatMap(({ newest }) => newest?.sent_by ?? []);
  const contacts = await getContacts([...others, ...senders]);
  return known.map(({ view, newest }) => ({
    ...conversationSeenBy(caller.id, view.conversation, view.settings),
    ...expanded(caller, view, { words, newest, contacts }),
  }));
}

/** What one conversation brings along; undefined where it is not asked to. */
export async function expansionOf(
  caller: Caller,
  view: View,
  words: readonly Expansion[],
): Promise<Expanded | undefined> {
  if (words.length === 0) return undefined;
  const [shown] = await showConversations(caller, [view], words);
  const names = Object.entries(shown ?? {}).filter(([name]) => words.some((word) => word === name));
  return Object.fromEntries(names);
}

/** A conversation as it is shown, and its newest message, where that was looked for and there is one. */
interface Known {
  view: View;
  newest?: MessageItem | undefined;
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

/** No message is shown of a conversation that was not read strongly in this request. */
async function lookUpMessages(caller: Caller, found: readonly Found[]): Promise<Known[]> {
  const keys = found.flatMap(({ conversation: { id, message_count }, settings }) => [
    ...(settings ? [] : [conversationKey(id), settingsKey(id, caller.id)]),
    ...(message_count > 0 ? [messageKey(id, message_count)] : []),
  ]);
  const items = await getItems(keys);
  const named = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  const itemAt = ({ pk, sk }: Key) => named.get(`${pk} ${sk}`);

  const newestOf = async ({ conversation, settings }: Found): Promise<MessageItem | undefined> => {
    const { id, message_count } = conversation;
    const now = settings ? conversation : visibleTo(caller, itemAt(conversationKey(id)));
    if (!now || now.message_count === 0) return undefined;
    const last = now.message_count === message_count && itemAt(messageKey(id, message_count));
    const entry = last ? toLogEntry(last) : undefined;
    // A place that is not decided yet: whatever it will hold comes later than what is below it.
    return entry && isMessage(entry) ? entry : newestMessage(id);
  };
  return Promise.all(
    found.map(async (one) => ({
      view: {
        conversation: one.conversation,
        settings: one.settings ?? settingsFrom(itemAt(settingsKey(one.conversation.id, caller.id))),
      },
      newest: await newestOf(one),
    })),
  );
}

interface Looked {
  words: readonly Expansion[];
  newest: MessageItem | undefined;
  contacts: (id: string) => Contact;
}

function expanded(
  caller: Caller,
  { conversation }: View,
  { words, newest, contacts }: Looked,
): Expanded {
  const other = otherContact(conversation, caller.id);
  return {
    ...(words.includes('contact') && { contact: other === null ? null : contacts(other) }),
    ...(words.includes('last_message') && {
      last_message: newest ? messageFrom(contacts(newest.sent_by), newest) : null,
    }),
  };
}
