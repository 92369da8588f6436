import type { EventType } from '../../contract/resources/event.ts';
import { isConversationId, parseMessageId } from '../../ids.ts';
import { toShortHash } from '../../log/short-hash.ts';

/** What a feed stores about a change: enough to find the resource, and none of its content. */
export interface FeedEntry {
  type: EventType;
  /** Id of the message or the conversation, according to `type`. */
  id: string;
  /** Version of the changed resource. With the id and the owner, it identifies the change. */
  version: number;
  /** Unix seconds. */
  at: number;
  /** The change concerns the reader's own settings of a conversation. */
  own?: true;
}

const entryKinds: readonly { letter: string; type: EventType; own?: true }[] = [
  { letter: 'a', type: 'message.created' },
  { letter: 'b', type: 'message.updated' },
  { letter: 'c', type: 'message.deleted' },
  { letter: 'd', type: 'conversation.created' },
  { letter: 'e', type: 'conversation.updated' },
  { letter: 'f', type: 'conversation.deleted' },
  { letter: 'g', type: 'conversation.updated', own: true },
];

/** Formats an entry. Equal changes have equal text. */
export function formatEntry({ type, id, version, at, own }: FeedEntry): string {
  const kind = entryKinds.find((one) => one.type === type && one.own === own);
  if (!kind) throw new Error(`Entries of type ${type} cannot be own settings.`);
  return `${kind.letter}${id}.${version.toString(36)}.${at.toString(36)}`;
}

export function parseEntry(text: string): FeedEntry {
  const [id = '', version = '', at = ''] = text.slice(1).split('.');
  const kind = entryKinds.find(({ letter }) => letter === text[0]);
  if (!kind || !(isConversationId(id) || parseMessageId(id))) {
    throw new Error(`Invalid feed entry: ${text}`);
  }
  const { type, own } = kind;
  return { type, id, version: parseInt(version, 36), at: parseInt(at, 36), ...(own && { own }) };
}

/** Maximum bytes of an entry, for a message with a version up to 1.6 million. */
export const maxEntryBytes = 1 + 44 + 1 + 4 + 1 + 7;

/**
 * Returns the event id, which is the same in feed, push and webhook. For settings it includes the
 * owner.
 */
export const toEventId = ({ id, version, own }: FeedEntry, ownerId: string): string =>
  own ? `${id}-${toShortHash(ownerId)}-${version}` : `${id}-${version}`;
