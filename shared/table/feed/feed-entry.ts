import type { Conversation } from '../../contract/resources/conversation.ts';
import { type Deleted, toDeletedReply } from '../../contract/resources/deleted.ts';
import {
  type DeletedMessage,
  type Event,
  type EventType,
  eventTypes,
  type OpenedConversation,
  toDeletedMessage,
} from '../../contract/resources/event.ts';
import type { Message } from '../../contract/resources/message.ts';
import { isConversationId, parseMessageId } from '../../ids.ts';
import { type Inbox, toFeedName } from '../../inbox.ts';
import { toShortHash } from '../../log/short-hash.ts';

/** What a feed stores about a change: enough to find the resource, and none of its content. */
export interface FeedEntry {
  type: EventType;
  id: string;
  /** Version of the changed resource. With the id and the owner, it identifies the change. */
  version: number;
  /** Unix seconds. */
  at: number;
  /** The change concerns the reader's own settings of a conversation. */
  own?: true;
}

/** Stored letter of each type; permanent, because feeds contain it. */
const letters: Record<EventType, string> = {
  'message.created': 'a',
  'message.updated': 'b',
  'message.deleted': 'c',
  'conversation.created': 'd',
  'conversation.updated': 'e',
  'conversation.deleted': 'f',
  'reader.updated': 'h',
};
const ownLetters: Partial<Record<EventType, string>> = { 'conversation.updated': 'g' };

const kindByLetter = new Map([
  ...eventTypes.map((type) => [letters[type], { type }] as const),
  ...eventTypes.map((type) => [ownLetters[type], { type, own: true }] as const),
]);

/** Formats an entry. Equal changes have equal text. */
export function formatEntry({ type, id, version, at, own }: FeedEntry): string {
  const letter = (own ? ownLetters : letters)[type];
  if (!letter) throw new Error(`Entries of type ${type} cannot be own settings.`);
  return `${letter}${id}.${version.toString(36)}.${at.toString(36)}`;
}

export function parseEntry(text: string): FeedEntry {
  const [id = '', version = '', at = ''] = text.slice(1).split('.');
  const kind = kindByLetter.get(text[0]);
  if (!kind || !(isConversationId(id) || parseMessageId(id))) {
    throw new Error(`Invalid feed entry: ${text}`);
  }
  return { ...kind, id, version: parseInt(version, 36), at: parseInt(at, 36) };
}

/** Maximum bytes of an entry, for a message with a version up to 1.6 million. */
export const maxEntryBytes = 1 + 44 + 1 + 4 + 1 + 7;

/**
 * Returns the event id, equal in feed, push and webhook. For events of one feed's owner only, it
 * includes the owner.
 */
export function toEventId({ id, type, version, own }: FeedEntry, ownerId: string): string {
  if (type === 'reader.updated') return `${id}-${toShortHash(ownerId)}-reader-${version}`;
  return own ? `${id}-${toShortHash(ownerId)}-${version}` : `${id}-${version}`;
}

export interface EventSource {
  inbox: Inbox;
  sequence: number;
  entry: FeedEntry;
}

/** Current state of a changed resource. Without the resource, the payload is null. */
export interface EventState {
  version: number;
  message?: Message | DeletedMessage;
  conversation?: Conversation | Deleted;
  opened?: OpenedConversation;
  /** An earlier event of the page has the payload. */
  isShown?: true;
}

/** Returns the conversation id contained in a message or conversation id. */
export const getConversationId = ({ id }: FeedEntry): string =>
  parseMessageId(id)?.conversationId ?? id;

/** Returns the event of a feed entry. The payload of a deletion ignores the resource's state. */
export function createEvent({ inbox, sequence, entry }: EventSource, state: EventState): Event {
  const { id, type, at } = entry;
  const fields = {
    id: toEventId(entry, inbox.id),
    created_at: at,
    version: state.version,
    feed: toFeedName(inbox),
    place: sequence,
  };
  switch (type) {
    case 'message.created':
    case 'message.updated':
      return { ...fields, type, payload: state.message ?? null };
    case 'message.deleted':
      return {
        ...fields,
        type,
        payload: state.isShown ? null : toDeletedMessage(id, getConversationId(entry)),
      };
    case 'conversation.created':
    case 'conversation.updated':
      return { ...fields, type, payload: state.conversation ?? null };
    case 'conversation.deleted':
      return { ...fields, type, payload: state.isShown ? null : toDeletedReply(id) };
    case 'reader.updated':
      return { ...fields, type, payload: state.opened ?? null };
  }
}
