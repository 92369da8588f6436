import * as v from 'valibot';
import type { StreamChange } from '../../stream-change.ts';
import { type Item, parseStreamImage } from '../calls/access.ts';
import { ConversationItem, getSharedVersion } from '../conversations/items/conversation-item.ts';
import { isDeleted } from '../conversations/items/conversation-tombstone.ts';
import { getOwnVersion, parseSettings } from '../conversations/items/settings.ts';
import { parseConversationPartition, parseSettingsOwner } from '../keys/keys.ts';
import {
  conversationSort,
  messageSortPrefix,
  settingsSortPrefix,
  tableKey,
} from '../keys/names.ts';
import { contentAttributeNames } from '../messages/log/content-item.ts';
import { isMessage, type MessageItem, toLogEntry } from '../messages/log/message-item.ts';
import type { FeedEntry } from './feed-entry.ts';

export interface ChangeEvent {
  entry: FeedEntry;
  conversationId: string;
  conversation?: ConversationItem;
  /** The message after the change, unless it was deleted. */
  message?: MessageItem;
  /** The change of the message is neither of its text nor of its attachments. */
  keepsContent?: boolean;
  /** Contact id, if only that contact may see the change because it concerns their settings. */
  owner?: string;
}

const Keyed = v.object({ [tableKey.partition]: v.string(), [tableKey.sort]: v.string() });

/** Converts a record of the stream to an event; `undefined` if participants see no change. */
export function toChangeEvent({ at, before, after }: StreamChange): ChangeEvent | undefined {
  const [oldItem, newItem] = [parseStreamImage(before), parseStreamImage(after)];
  if (!newItem) return undefined;
  const { pk, sk } = v.parse(Keyed, newItem);
  const conversationId = parseConversationPartition({ pk });
  if (conversationId === undefined) return undefined;
  if (sk === conversationSort) return toConversationEvent(conversationId, at, oldItem, newItem);
  if (sk.startsWith(messageSortPrefix)) return toMessageEvent(conversationId, at, oldItem, newItem);
  if (sk.startsWith(settingsSortPrefix))
    return toSettingsEvent(conversationId, at, oldItem, newItem);
  return undefined;
}

function toConversationEvent(id: string, at: number, oldItem: Item | undefined, newItem: Item) {
  const before = oldItem && !isDeleted(oldItem) ? v.parse(ConversationItem, oldItem) : undefined;
  const toEvent = (
    action: 'created' | 'updated' | 'deleted',
    conversation: ConversationItem,
    version: number,
  ): ChangeEvent => ({
    entry: { type: `conversation.${action}`, id, version, at },
    conversationId: id,
    conversation,
  });
  if (isDeleted(newItem)) {
    return before && toEvent('deleted', before, getSharedVersion(before) + 1);
  }
  const after = v.parse(ConversationItem, newItem);
  if (!before) return toEvent('created', after, getSharedVersion(after));
  // A reserved sequence number is not an event: the message that uses it is.
  return before.version === after.version
    ? undefined
    : toEvent('updated', after, getSharedVersion(after));
}

function toMessageEvent(
  conversationId: string,
  at: number,
  oldItem: Item | undefined,
  newItem: Item,
) {
  const [before, message] = [oldItem && parseMessage(oldItem), parseMessage(newItem)];
  const entry = (
    action: 'created' | 'updated' | 'deleted',
    { id }: MessageItem,
    version: number,
  ): FeedEntry => ({ type: `message.${action}`, id, version, at });
  if (!message) {
    return before && { entry: entry('deleted', before, before.version + 1), conversationId };
  }
  // Pinning a message is an event of its conversation.
  if (before?.version === message.version) return undefined;
  const action = before ? 'updated' : 'created';
  const keepsContent = contentAttributeNames.every((name) => before?.[name] === message[name]);
  return { entry: entry(action, message, message.version), conversationId, message, keepsContent };
}

function parseMessage(item: Item): MessageItem | undefined {
  const entry = toLogEntry(item);
  return isMessage(entry) ? entry : undefined;
}

function toSettingsEvent(
  id: string,
  at: number,
  oldItem: Item | undefined,
  newItem: Item,
): ChangeEvent | undefined {
  const settings = parseSettings(newItem);
  const version = getOwnVersion(settings);
  if (settings.erased_at !== undefined) return undefined;
  if (version === getOwnVersion(parseSettings(oldItem))) return undefined;
  const { sk } = v.parse(Keyed, newItem);
  return {
    entry: { type: 'conversation.updated', id, version, at, own: true },
    conversationId: id,
    owner: parseSettingsOwner(sk),
  };
}
