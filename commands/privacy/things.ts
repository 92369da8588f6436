import * as v from 'valibot';
import type { Item } from '../../shared/table/calls/access.ts';
import { ConversationItem } from '../../shared/table/conversations/items/conversation-item.ts';
import { isDeleted } from '../../shared/table/conversations/items/conversation-tombstone.ts';
import {
  type ContactWithGroups,
  isParticipant,
} from '../../shared/table/conversations/items/participants.ts';
import { parseSettings, type Settings } from '../../shared/table/conversations/items/settings.ts';
import { type Chunk, toChunk } from '../../shared/table/feed/feed-chunk.ts';
import {
  chunkKey,
  chunkSortPrefix,
  contactKey,
  distinctKey,
  type Key,
  parseConversationPartition,
  settingsKey,
} from '../../shared/table/keys/keys.ts';
import {
  conversationSort,
  erasureAttribute,
  expiryAttribute,
  messageSortPrefix,
  tableKey,
} from '../../shared/table/keys/names.ts';
import {
  isMessage,
  type MessageItem,
  toLogEntry,
} from '../../shared/table/messages/log/message-item.ts';

/** Something of the table that somebody has left there, or takes part in. */
export type Thing =
  | { kind: 'profile'; key: Key; item: Item }
  /** The first reply to an Idempotency-Key of theirs. */
  | { kind: 'request'; key: Key; operation: string; expiresAt: number }
  | { kind: 'events'; chunk: Chunk }
  /** Which conversation is the one of the two. */
  | { kind: 'distinct'; key: Key; other: string; conversationId: string }
  | { kind: 'conversation'; conversation: ConversationItem }
  | OfConversation;

/** Something of theirs in a conversation. */
export type OfConversation =
  | { kind: 'settings'; key: Key; conversationId: string; settings: Settings }
  | {
      kind: 'message';
      conversationId: string;
      message: MessageItem;
      isSent: boolean;
      /** The names by which they have reacted to it. */
      reactions: string[];
    };

const Keyed = v.object({ [tableKey.partition]: v.string(), [tableKey.sort]: v.string() });
const Noted = v.object({ conversation_id: v.string() });
const Expiring = v.object({ [expiryAttribute]: v.number() });

/**
 * What an item of the table is to somebody; undefined for what is not theirs. Of conversations
 * those that they have made, that name them, and that are of their groups; others' settings are not
 * theirs, also where these say with whom they are.
 */
export function thingOf(item: Item, who: ContactWithGroups): Thing | undefined {
  const key = v.parse(Keyed, item);
  const { pk, sk } = key;
  const conversationId = parseConversationPartition(key);
  if (conversationId !== undefined) return inConversation(conversationId, key, item, who);
  const contact = contactKey(who.id);
  if (pk === contact.pk) {
    // What an erasure leaves says nothing but that.
    if (sk === contact.sk)
      return erasureAttribute in item ? undefined : { kind: 'profile', key, item };
    const [, operation = ''] = sk.split('#');
    return { kind: 'request', key, operation, expiresAt: v.parse(Expiring, item).expires_at };
  }
  if (pk === chunkKey({ kind: 'contact', id: who.id }, 1).pk) {
    const chunk = sk.startsWith(chunkSortPrefix) ? toChunk(item) : undefined;
    // An emptied one says how many places there were.
    return chunk && chunk.entries.length > 0 ? { kind: 'events', chunk } : undefined;
  }
  if (sk === distinctKey('', '').sk) {
    const [, one = '', other = ''] = pk.split('#');
    if (one !== who.id && other !== who.id) return undefined;
    const { conversation_id: conversationId } = v.parse(Noted, item);
    return { kind: 'distinct', key, other: one === who.id ? other : one, conversationId };
  }
  return undefined;
}

function inConversation(
  conversationId: string,
  key: Key,
  item: Item,
  who: ContactWithGroups,
): Thing | undefined {
  if (key.sk === conversationSort) {
    if (isDeleted(item)) return undefined;
    const conversation = v.parse(ConversationItem, item);
    const isTheirs = isParticipant(conversation, who) || conversation.created_by === who.id;
    return isTheirs ? { kind: 'conversation', conversation } : undefined;
  }
  if (key.sk === settingsKey(conversationId, who.id).sk) {
    return { kind: 'settings', key, conversationId, settings: parseSettings(item) };
  }
  if (!key.sk.startsWith(messageSortPrefix)) return undefined;
  const message = toLogEntry(item);
  if (!isMessage(message)) return undefined;
  const isSent = message.sent_by === who.id;
  const reactions = Object.entries(message.reactions)
    .filter(([, reactors]) => reactors.has(who.id))
    .map(([name]) => name)
    .sort();
  return isSent || reactions.length > 0
    ? { kind: 'message', conversationId, message, isSent, reactions }
    : undefined;
}
