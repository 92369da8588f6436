import type { Conversation } from '../../contract/resources/conversation.ts';
import { type Deleted, toDeletedReply } from '../../contract/resources/deleted.ts';
import {
  type DeletedMessage,
  type Event,
  type EventType,
  eventTypes,
  type Member,
  type OpenedConversation,
  type RemovedMember,
  toDeletedMessage,
  toRemovedMember,
} from '../../contract/resources/event.ts';
import type { Group } from '../../contract/resources/group.ts';
import type { Message } from '../../contract/resources/message.ts';
import { isConversationId, isUserGroupId, parseMessageId } from '../../ids.ts';
import { type Inbox, toFeedName } from '../../inbox.ts';
import { toShortHash } from '../../log/short-hash.ts';

export interface FeedEntry {
  type: EventType;
  id: string;
  version: number;
  /** Unix seconds. */
  at: number;
  /** Whether the change concerns the settings or membership of the feed's owner. */
  own?: true;
  /** Contact who was added to the group or removed from it. Absent if `own` is set. */
  member?: string;
}

/** Letters that represent the types in stored entries. Never change them. */
const letters: Record<EventType, string> = {
  'message.created': 'a',
  'message.updated': 'b',
  'message.deleted': 'c',
  'conversation.created': 'd',
  'conversation.updated': 'e',
  'conversation.deleted': 'f',
  'reader.updated': 'h',
  'group.updated': 'i',
  'group.member_added': 'j',
  'group.member_removed': 'k',
  'group.deleted': 'l',
};
const ownLetters: Partial<Record<EventType, string>> = {
  'conversation.updated': 'g',
  'group.member_added': 'm',
  'group.member_removed': 'n',
};

const kindByLetter = new Map([
  ...eventTypes.map((type) => [letters[type], { type }] as const),
  ...eventTypes.map((type) => [ownLetters[type], { type, own: true }] as const),
]);

/** Formats an entry. Equal changes have equal text. */
export function formatEntry({ type, id, version, at, own, member }: FeedEntry): string {
  const letter = (own ? ownLetters : letters)[type];
  if (!letter) throw new Error(`An entry of type ${type} cannot have own: true.`);
  const text = `${letter}${id}.${version.toString(36)}.${at.toString(36)}`;
  // The member is last, because a contact id may contain the separator.
  return member === undefined ? text : `${text}.${member}`;
}

export function parseEntry(text: string): FeedEntry {
  const [id = '', version = '', at = '', ...rest] = text.slice(1).split('.');
  const kind = kindByLetter.get(text[0]);
  if (!kind || !(isConversationId(id) || parseMessageId(id) || isUserGroupId(id))) {
    throw new Error(`Invalid feed entry: ${text}`);
  }
  const entry = { ...kind, id, version: parseInt(version, 36), at: parseInt(at, 36) };
  return rest.length > 0 ? { ...entry, member: rest.join('.') } : entry;
}

/**
 * Maximum size, in bytes, of an entry without a member and with a version up to 1.6 million. Longer
 * entries may raise the cost of an append above one write unit.
 */
export const maxEntryBytes = 1 + 44 + 1 + 4 + 1 + 7;

/**
 * Returns the event id, which is the same in feeds, pushes and webhooks. If the event is about a
 * member, the id contains a hash of the member. Otherwise, if only the owner's feed has the event,
 * the id contains a hash of the owner.
 */
export function toEventId({ id, type, version, own, member }: FeedEntry, ownerId: string): string {
  if (member !== undefined) return `${id}-${toShortHash(member)}-${version}`;
  if (type === 'reader.updated') return `${id}-${toShortHash(ownerId)}-reader-${version}`;
  return own ? `${id}-${toShortHash(ownerId)}-${version}` : `${id}-${version}`;
}

export interface EventSource {
  inbox: Inbox;
  sequence: number;
  entry: FeedEntry;
}

/** Current state of a resource. If no resource field is set, only a deletion has a payload. */
export interface EventState {
  version: number;
  message?: Message | DeletedMessage;
  conversation?: Conversation | Deleted;
  opened?: OpenedConversation;
  group?: Group | Deleted;
  member?: Member | RemovedMember;
  /** Whether an earlier event on the page has the same payload. */
  isShown?: true;
}

/**
 * Returns the contact whose membership changed: the entry's member or, if the entry names no
 * member, the feed's owner.
 */
export const getMemberOf = ({ inbox, entry }: Pick<EventSource, 'inbox' | 'entry'>): string =>
  entry.member ?? inbox.id;

/** Returns the conversation id of an entry about a conversation or a message. */
export const getConversationId = ({ id }: FeedEntry): string =>
  parseMessageId(id)?.conversationId ?? id;

/** Returns the event for a feed entry. A deletion's payload uses only `isShown` of `state`. */
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
    case 'group.updated':
      return { ...fields, type, payload: state.group ?? null };
    case 'group.member_added':
      return { ...fields, type, payload: state.member ?? null };
    case 'group.member_removed': {
      const payload = state.isShown ? null : toRemovedMember(id, getMemberOf({ inbox, entry }));
      return { ...fields, type, payload };
    }
    case 'group.deleted':
      return { ...fields, type, payload: state.isShown ? null : toDeletedReply(id) };
  }
}
