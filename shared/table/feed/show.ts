import * as v from 'valibot';
import type { Caller } from '../../caller.ts';
import type { Contact } from '../../contract/contact.ts';
import { deleted } from '../../contract/deleted.ts';
import { deletedMessage, type Event } from '../../contract/event.ts';
import { parseMessageId } from '../../ids.ts';
import { getItems, type Item } from '../calls/access.ts';
import { getContacts } from '../contacts.ts';
import {
  getVersion,
  parseVisibleConversation,
  toConversationReply,
} from '../conversations/items/conversation-item.ts';
import { parseSettings } from '../conversations/items/settings.ts';
import { conversationKey, type Key, messageKey, settingsKey } from '../keys/keys.ts';
import { tableKey } from '../keys/names.ts';
import {
  isMessage,
  type MessageItem,
  toLogEntry,
  toMessageReply,
} from '../messages/log/message-item.ts';
import { type Entry, eventId } from './entry.ts';
import type { Placed } from './read.ts';

/** What an entry is about, as it is now; undefined where it is not for the reader to see. */
type Shown = Pick<Event, 'version' | 'payload'>;

/**
 * The events of these entries as the caller may see them now, in their order; undefined for those that they may not see.
 * Of each thing the present state is shown, or that it is deleted.
 */
export async function showEvents(
  caller: Caller,
  entries: readonly Placed[],
): Promise<(Event | undefined)[]> {
  const find = await findThings(
    caller.id,
    entries.map(({ entry }) => entry),
  );
  const messages = entries.flatMap(({ entry }) => find.message(entry) ?? []);
  const contactOf = await getContacts(messages.map(({ sent_by }) => sent_by));
  return entries.map(({ inbox, feed, place, entry }) => {
    const shown = shownTo(caller, entry, find, contactOf);
    const { type, at: created_at } = entry;
    return shown && { id: eventId(entry, inbox.id), type, created_at, feed, place, ...shown };
  });
}

/** What a message's or a conversation's id tells of where it is. */
const conversationIn = ({ id }: Entry): string => parseMessageId(id)?.conversationId ?? id;

function shownTo(
  caller: Caller,
  entry: Entry,
  find: Things,
  contactOf: (id: string) => Contact,
): Shown | undefined {
  const { id, version, own } = entry;
  const position = parseMessageId(id);
  const conversationId = conversationIn(entry);
  const item = find.conversation(conversationId);
  const conversation = parseVisibleConversation(caller, item);
  if (!conversation) {
    // Who set something may have left long ago; whoever else has the entry in a feed took part until it was deleted.
    const isGone = item === undefined || isTombstone(item);
    if (own || !isGone) return undefined;
    return {
      version,
      payload: position ? deletedMessage(id, conversationId) : deleted(id),
    };
  }
  if (!position) {
    const view = { conversation, settings: find.settings(conversationId) };
    return {
      version: getVersion(view),
      payload: toConversationReply(caller.id, conversation, view.settings),
    };
  }
  const message = find.message(entry);
  return message
    ? { version: message.version, payload: toMessageReply(contactOf(message.sent_by), message) }
    : { version, payload: deletedMessage(id, conversationId) };
}

const isTombstone = (item: Item) => !('id' in item);

/** What entries are about, by what they say of it. */
interface Things {
  conversation(id: string): Item | undefined;
  settings(conversationId: string): ReturnType<typeof parseSettings>;
  message(entry: Entry): MessageItem | undefined;
}

const Keyed = v.object({ [tableKey.partition]: v.string(), [tableKey.sort]: v.string() });
const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;

/** Reads all of it, each thing once, however many entries it has. */
async function findThings(callerId: string, entries: readonly Entry[]): Promise<Things> {
  const keys = entries.flatMap((entry): Key[] => {
    const conversationId = conversationIn(entry);
    const position = parseMessageId(entry.id);
    return [
      conversationKey(conversationId),
      position
        ? messageKey(conversationId, position.sequence)
        : settingsKey(conversationId, callerId),
    ];
  });
  const items = await getItems([...new Map(keys.map((key) => [nameOf(key), key])).values()]);
  const byKey = new Map(items.map((item) => [nameOf(v.parse(Keyed, item)), item]));
  const find = (key: Key) => byKey.get(nameOf(key));
  return {
    conversation: (id) => find(conversationKey(id)),
    settings: (id) => parseSettings(find(settingsKey(id, callerId))),
    message: ({ id }) => {
      const position = parseMessageId(id);
      const item = position && find(messageKey(position.conversationId, position.sequence));
      const found = item && toLogEntry(item);
      return found && isMessage(found) ? found : undefined;
    },
  };
}
