import { createHash } from 'node:crypto';
import { env } from '../../../env.ts';
import { isUserGroup } from '../../../ids.ts';
import { type Inbox, toFeedName } from '../../../inbox.ts';
import { maxEntriesPerChunk } from '../feed-chunk.ts';

export interface FeedPosition {
  /** Sequence number to continue with, at least 1. */
  next: number;
  /**
   * First sequence number of the chunk that contains `next` or, if that chunk does not exist yet,
   * of the preceding chunk.
   */
  chunk: number;
}

export type Positions = ReadonlyMap<string, FeedPosition>;

export interface FeedCursor {
  epoch: number;
  positions: Positions;
}

const nameBytes = 6;
const identityBytes = 4;
const readerBytes = 6;
const formatVersion = 1;

const hash = (text: string, bytes: number) =>
  createHash('sha256').update(text).digest().subarray(0, bytes);

/**
 * Hashes the table name and the push API id, which identify the feeds. The name or the id changes
 * after a restore, or if events are disabled and enabled again.
 */
const hashFeedsIdentity = () => hash(`${env('TABLE_NAME')} ${env('FEEDS')}`, identityBytes);

const shortenName = (name: string) => name.slice(0, 2 * nameBytes);

/**
 * Formats a cursor that only this reader can use: URL-safe text of about 14 characters per feed.
 */
export function formatCursor({ epoch, positions }: FeedCursor, readerId: string): string {
  const parts = [...positions].map(([name, { next, chunk }]) =>
    Buffer.concat([
      Buffer.from(shortenName(name), 'hex'),
      encodeVarint(next),
      Buffer.from([next - chunk]),
    ]),
  );
  return Buffer.concat([
    Buffer.from([formatVersion]),
    hash(readerId, readerBytes),
    hashFeedsIdentity(),
    encodeVarint(epoch),
    ...parts,
  ]).toString('base64url');
}

export type ParsedCursor =
  /** `joined`: the user groups that the reader has joined since the cursor was issued. */
  | { outcome: 'valid'; cursor: FeedCursor; joined: Inbox[] }
  /**
   * The cursor is from another table, was issued before events were disabled, or lacks a feed of a
   * group in the token.
   */
  | { outcome: 'expired' }
  /** The text is not a cursor, or belongs to another reader. */
  | { outcome: 'invalid' };

/** Parses a cursor. If it is valid, returns its positions in the feeds of `inboxes`. */
export function parseCursor(
  text: string,
  readerId: string,
  inboxes: readonly Inbox[],
): ParsedCursor {
  const bytes = Buffer.from(text, 'base64url');
  const reader = createByteReader(bytes);
  if (bytes.toString('base64url') !== text || reader.byte() !== formatVersion)
    return { outcome: 'invalid' };
  if (!reader.take(readerBytes).equals(hash(readerId, readerBytes))) return { outcome: 'invalid' };
  if (!reader.take(identityBytes).equals(hashFeedsIdentity())) return { outcome: 'expired' };
  const epoch = reader.varint();
  if (!Number.isSafeInteger(epoch)) return { outcome: 'invalid' };
  const byName = new Map<string, FeedPosition>();
  while (reader.hasMore()) {
    const name = reader.take(nameBytes).toString('hex');
    const next = reader.varint();
    const chunk = next - reader.byte();
    if (!Number.isSafeInteger(next) || chunk < 1 || next - chunk > maxEntriesPerChunk)
      return { outcome: 'invalid' };
    byName.set(name, { next, chunk });
  }
  if (reader.isTruncated()) return { outcome: 'invalid' };
  const positions = new Map<string, FeedPosition>();
  const joined: Inbox[] = [];
  for (const inbox of inboxes) {
    const name = toFeedName(inbox);
    const position = byName.get(shortenName(name));
    if (position) positions.set(name, position);
    else if (inbox.kind === 'group' && isUserGroup(inbox.id)) joined.push(inbox);
    else return { outcome: 'expired' };
  }
  return { outcome: 'valid', cursor: { epoch, positions }, joined };
}

/**
 * Encodes seven bits per byte, lowest bits first. A byte's highest bit means that another byte
 * follows.
 */
function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/**
 * Creates a reader that returns 0 for a byte past the end, and NaN for a varint of more than seven
 * bytes.
 */
function createByteReader(bytes: Buffer) {
  let offset = 0;
  const byte = (): number => bytes[offset++] ?? 0;
  return {
    byte,
    take: (count: number): Buffer => {
      offset += count;
      return bytes.subarray(offset - count, offset);
    },
    varint: (): number => {
      let value = 0;
      for (let factor = 1; factor < 2 ** 49; factor *= 128) {
        const one = byte();
        value += (one % 128) * factor;
        if (one < 128) return value;
      }
      return Number.NaN;
    },
    hasMore: () => offset < bytes.length,
    isTruncated: () => offset > bytes.length,
  };
}
