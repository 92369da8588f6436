import type { EventType } from '../../contract/event.ts';
import { isConversationId, parseMessageId } from '../../ids.ts';
import { shortHash } from '../../log/short-hash.ts';

/** What a feed keeps of a change: what is needed to find the thing again, and nothing of what it says. */
export interface FeedEntry {
  type: EventType;
  /** The message's or the conversation's, by the type. */
  id: string;
  /** Of what has changed: with the id, and with whose it is, it names the change. */
  version: number;
  /** Unix seconds. */
  at: number;
  /** It is one of the reader's own settings that has changed, in a conversation. */
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

/** As text: the same change makes the same one. */
export function formatEntry({ type, id, version, at, own }: FeedEntry): string {
  const kind = entryKinds.find((one) => one.type === type && one.own === own);
  if (!kind) throw new Error(`There is no entry of the type ${type} that is one's own.`);
  return `${kind.letter}${id}.${version.toString(36)}.${at.toString(36)}`;
}

export function parseEntry(text: string): FeedEntry {
  const [id = '', version = '', at = ''] = text.slice(1).split('.');
  const kind = entryKinds.find(({ letter }) => letter === text[0]);
  if (!kind || !(isConversationId(id) || parseMessageId(id))) {
    throw new Error(`This is no entry of a feed: ${text}`);
  }
  const { type, own } = kind;
  return { type, id, version: parseInt(version, 36), at: parseInt(at, 36), ...(own && { own }) };
}

/** Bytes of the longest text of a message with versions up to a million and a half. */
export const maxEntryBytes = 1 + 44 + 1 + 4 + 1 + 7;

/** Names the change wherever it is told; one of settings differs by whose they are. */
export const toEventId = ({ id, version, own }: FeedEntry, ownerId: string): string =>
  own ? `${id}-${shortHash(ownerId)}-${version}` : `${id}-${version}`;
