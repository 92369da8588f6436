import { createHash } from 'node:crypto';
import { env } from '../../env.ts';
import { feedName, type Inbox } from '../../inbox.ts';
import { maxEntriesPerChunk } from './feed-chunk.ts';

/** How far somebody has read one feed. */
export interface FeedPosition {
  /** The place to go on with, from 1. */
  next: number;
  /** The chunk that it is in or, where that is not begun yet, the one before: the place of its first entry. */
  chunk: number;
}

/** How far somebody has read their feeds, by the names of these. */
export type Positions = ReadonlyMap<string, FeedPosition>;

export interface FeedCursor {
  /** Of the feeds' lives the one that it was given in: see epoch.ts. */
  epoch: number;
  positions: Positions;
}

const nameBytes = 6;
const feedsBytes = 4;
const readerBytes = 6;
const format = 1;

const hash = (text: string, bytes: number) =>
  createHash('sha256').update(text).digest().subarray(0, bytes);

/**
 * Of which table, and of which time in which its feeds were told without a break. Another table, such as one that was restored,
 * may have come to other events at the same places; and what happens while a stage tells no events is missing.
 */
const hashFeedsIdentity = () => hash(`${env('TABLE_NAME')} ${env('FEEDS')}`, feedsBytes);

const shortenName = (name: string) => name.slice(0, 2 * nameBytes);

/** The cursor as text that is good in an address, some 14 characters for each feed. Bound to its reader, and to these feeds. */
export function formatCursor({ epoch, positions }: FeedCursor, readerId: string): string {
  const parts = [...positions].map(([name, { next, chunk }]) =>
    Buffer.concat([
      Buffer.from(shortenName(name), 'hex'),
      encodeVarint(next),
      Buffer.from([next - chunk]),
    ]),
  );
  return Buffer.concat([
    Buffer.from([format]),
    hash(readerId, readerBytes),
    hashFeedsIdentity(),
    encodeVarint(epoch),
    ...parts,
  ]).toString('base64url');
}

/** What becomes of a text that was given as a cursor. */
export type ParsedCursor =
  | { outcome: 'good'; cursor: FeedCursor }
  /** Of another table, of before the stage's events were switched off, or one of these feeds is not in it. */
  | { outcome: 'expired' }
  /** No cursor at all, or somebody else's. */
  | { outcome: 'wrong' };

/** The cursor of a text, with the positions in the reader's present inboxes. */
export function parseCursor(
  text: string,
  readerId: string,
  inboxes: readonly Inbox[],
): ParsedCursor {
  const bytes = Buffer.from(text, 'base64url');
  const reader = createByteReader(bytes);
  if (bytes.toString('base64url') !== text || reader.byte() !== format) return { outcome: 'wrong' };
  if (!reader.take(readerBytes).equals(hash(readerId, readerBytes))) return { outcome: 'wrong' };
  if (!reader.take(feedsBytes).equals(hashFeedsIdentity())) return { outcome: 'expired' };
  const epoch = reader.varint();
  const byName = new Map<string, FeedPosition>();
  while (reader.hasMore()) {
    const name = reader.take(nameBytes).toString('hex');
    const next = reader.varint();
    const chunk = next - reader.byte();
    if (next < 1 || chunk < 1 || next - chunk > maxEntriesPerChunk) return { outcome: 'wrong' };
    byName.set(name, { next, chunk });
  }
  if (reader.isShort()) return { outcome: 'wrong' };
  const positions = new Map<string, FeedPosition>();
  for (const name of inboxes.map(feedName)) {
    const position = byName.get(shortenName(name));
    if (!position) return { outcome: 'expired' };
    positions.set(name, position);
  }
  return { outcome: 'good', cursor: { epoch, positions } };
}

/** Seven bits a byte, the lowest first; the highest bit says that more follow. */
function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** Reads bytes; past the end there are zeros, and it is known that there were too few. */
function createByteReader(bytes: Buffer) {
  let at = 0;
  const byte = (): number => bytes[at++] ?? 0;
  return {
    byte,
    take: (count: number): Buffer => {
      at += count;
      return bytes.subarray(at - count, at);
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
    hasMore: () => at < bytes.length,
    isShort: () => at > bytes.length,
  };
}
