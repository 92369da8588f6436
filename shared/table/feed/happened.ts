import * as v from 'valibot';
import type { Item } from '../calls/access.ts';
import { itemOf } from '../calls/image.ts';
import { ConversationItem, getSharedVersion } from '../conversations/items/conversation-item.ts';
import { isDeleted } from '../conversations/items/conversation-tombstone.ts';
import { getOwnVersion, parseSettings } from '../conversations/items/settings.ts';
import { conversationIdOf, settingsOwner } from '../keys/keys.ts';
import { conversationSort, messageSorts, settingsSorts, tableKey } from '../keys/names.ts';
import { isMessage, type MessageItem, toLogEntry } from '../messages/log/message-item.ts';
import type { Entry } from './entry.ts';

/** A change of an item as the table's stream tells of it: what it was, and what it is. */
export interface Change {
  /** Names it in its stream. */
  sequenceNumber: string;
  /** Unix seconds. */
  at: number;
  before: unknown;
  after: unknown;
}

/** What has happened, and in which conversation. */
export interface Happening {
  entry: Entry;
  conversationId: string;
  /** The conversation, if the change was one of itself. */
  conversation?: ConversationItem;
  /** The message as the change has left it, if it was one of a message that is still there. */
  message?: MessageItem;
  /** Whose alone the change is: that of their settings. */
  owner?: string;
}

const Keyed = v.object({ [tableKey.partition]: v.string(), [tableKey.sort]: v.string() });

/** What a change means to those who take part; undefined where they see nothing of it. */
export function happened({ at, before, after }: Change): Happening | undefined {
  const [was, is] = [itemOf(before), itemOf(after)];
  if (!is) return undefined;
  const { pk, sk } = v.parse(Keyed, is);
  const conversationId = conversationIdOf({ pk });
  if (conversationId === undefined) return undefined;
  if (sk === conversationSort) return ofConversation(conversationId, at, was, is);
  if (sk.startsWith(messageSorts)) return ofMessage(conversationId, at, was, is);
  if (sk.startsWith(settingsSorts)) return ofSettings(conversationId, at, was, is);
  return undefined;
}

function ofConversation(id: string, at: number, was: Item | undefined, is: Item) {
  const before = was && !isDeleted(was) ? v.parse(ConversationItem, was) : undefined;
  const happening = (
    what: 'created' | 'updated' | 'deleted',
    conversation: ConversationItem,
    version: number,
  ): Happening => ({
    entry: { type: `conversation.${what}`, id, version, at },
    conversationId: id,
    conversation,
  });
  if (isDeleted(is)) {
    return before && happening('deleted', before, getSharedVersion(before) + 1);
  }
  const after = v.parse(ConversationItem, is);
  if (!before) return happening('created', after, getSharedVersion(after));
  // That a place was given out is told by the message that comes to it.
  return before.version === after.version
    ? undefined
    : happening('updated', after, getSharedVersion(after));
}

function ofMessage(conversationId: string, at: number, was: Item | undefined, is: Item) {
  const [before, message] = [was && messageOf(was), messageOf(is)];
  const entry = (
    what: 'created' | 'updated' | 'deleted',
    { id }: MessageItem,
    version: number,
  ): Entry => ({ type: `message.${what}`, id, version, at });
  if (!message) {
    return before && { entry: entry('deleted', before, before.version + 1), conversationId };
  }
  // That it is pinned is the conversation's to tell.
  if (before?.version === message.version) return undefined;
  const what = before ? 'updated' : 'created';
  return { entry: entry(what, message, message.version), conversationId, message };
}

function messageOf(item: Item): MessageItem | undefined {
  const entry = toLogEntry(item);
  return isMessage(entry) ? entry : undefined;
}

function ofSettings(
  id: string,
  at: number,
  was: Item | undefined,
  is: Item,
): Happening | undefined {
  const version = getOwnVersion(parseSettings(is));
  if (version === getOwnVersion(parseSettings(was))) return undefined;
  const { sk } = v.parse(Keyed, is);
  return {
    entry: { type: 'conversation.updated', id, version, at, own: true },
    conversationId: id,
    owner: settingsOwner(sk),
  };
}
