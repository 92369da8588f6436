import { ApiError } from '../../api-error.ts';
import { clock, toSeconds } from '../../clock.ts';
import { type Inbox, toFeedName } from '../../inbox.ts';
import {
  type Chunk,
  getChunkEnd,
  getChunkStart,
  getChunksFrom,
  getNewestChunks,
} from './feed-chunk.ts';
import type { FeedPosition, Positions } from './feed-cursor.ts';
import { type FeedEntry, parseEntry } from './feed-entry.ts';
import { findFirstRetained, isRetained } from './find-first-retained.ts';

export interface SequencedEntry {
  inbox: Inbox;
  feed: string;
  sequence: number;
  /** First sequence number of the chunk that contains the entry. */
  chunk: number;
  entry: FeedEntry;
}

/** Chunks per call. Each is 1 KB, so four cost one consistent read unit, the minimum charge. */
const minChunks = 4;
/** Minimum entries in a full chunk. */
const minEntriesPerFullChunk = 12;

export interface FeedReading {
  start: Positions;
  entries: SequencedEntry[];
  more: boolean;
}

/**
 * Reads up to `limit` entries, merged by time, from the positions or from the oldest retained
 * entries. Makes one concurrent call per feed, more for one that supplies most of the page, and a
 * bisection for one with many expired chunks. Throws `cursor_expired` if entries after a position
 * are missing.
 */
export async function readFeeds(
  inboxes: readonly Inbox[],
  positions: Positions | undefined,
  limit: number,
): Promise<FeedReading> {
  const streams = inboxes.map((inbox) => createStream(inbox, positions?.get(toFeedName(inbox))));
  const entries: SequencedEntry[] = [];
  for (;;) {
    const missing = limit - entries.length;
    const first = findEarliest(streams);
    if (first && missing === 0) return { start: getStartPositions(streams), entries, more: true };
    const streamsToRead = streams.filter(needsReading);
    if (streamsToRead.length > 0) {
      const chunks = 1 + Math.ceil(missing / minEntriesPerFullChunk / Math.min(streams.length, 3));
      await Promise.all(
        streamsToRead.map((stream) => readMore(stream, Math.max(minChunks, chunks))),
      );
    } else if (first) {
      entries.push(...first.unread.splice(0, 1));
    } else {
      return { start: getStartPositions(streams), entries, more: false };
    }
  }
}

export async function getEndPositions(inboxes: readonly Inbox[]): Promise<Positions> {
  const ends = inboxes.map(async (inbox): Promise<[string, FeedPosition]> => {
    const [last] = await getNewestChunks(inbox, 1);
    return [toFeedName(inbox), last ? { next: getChunkEnd(last), chunk: last.first } : startOfFeed];
  });
  return new Map(await Promise.all(ends));
}

const startOfFeed: FeedPosition = { next: 1, chunk: 1 };

export function getPositionsAfter(start: Positions, entries: readonly SequencedEntry[]): Positions {
  const positions = new Map(start);
  for (const { feed, sequence, chunk } of entries)
    positions.set(feed, { next: sequence + 1, chunk });
  return positions;
}

interface FeedStream {
  inbox: Inbox;
  /** Start of the read. If not given, the oldest retained entry, known after the first call. */
  start: FeedPosition | undefined;
  next: number;
  /** First sequence number of the next chunk to read. */
  from: number;
  /** Sequence number after the last existing entry, as far as read. */
  end: number;
  unread: SequencedEntry[];
  /** The feed has no entries other than `unread`. */
  ended: boolean;
}

const createStream = (inbox: Inbox, start: FeedPosition | undefined): FeedStream => ({
  inbox,
  start,
  next: start?.next ?? 1,
  from: start?.chunk ?? 1,
  end: 1,
  unread: [],
  ended: false,
});

const needsReading = ({ unread, ended }: FeedStream): boolean => unread.length === 0 && !ended;

const getStartPositions = (streams: readonly FeedStream[]): Positions =>
  new Map(streams.map(({ inbox, start }) => [toFeedName(inbox), start ?? startOfFeed]));

const findEarliest = (streams: readonly FeedStream[]): FeedStream | undefined => {
  const getFirstTime = ({ unread: [first] }: FeedStream) =>
    first?.entry.at ?? Number.POSITIVE_INFINITY;
  return streams
    .filter(({ unread }) => unread.length > 0)
    .reduce<FeedStream | undefined>(
      (first, one) =>
        first === undefined || getFirstTime(one) < getFirstTime(first) ? one : first,
      undefined,
    );
};

async function readMore(stream: FeedStream, limit: number): Promise<void> {
  const { inbox } = stream;
  const { chunks: read, more } = await getChunksFrom(inbox, stream.from, limit);
  const now = toSeconds(clock.now());
  const last = read.at(-1);
  const chunks = stream.start ? read : getChunksAfterGaps(read, now);
  if (!stream.start && last && more && chunks.length === 0) {
    stream.from = await findFirstRetained(inbox, getChunkEnd(last), now);
    return;
  }
  for (const chunk of chunks) {
    if (!stream.start) startAt(stream, chunk, getChunkStart(chunk));
    const isUnread = getChunkEnd(chunk) > stream.next;
    const isMissing = getChunkStart(chunk) > stream.next || (isUnread && !isRetained(chunk, now));
    if (isMissing) throw new ApiError('cursor_expired');
    for (const [n, text] of chunk.entries.entries()) {
      const sequence = getChunkStart(chunk) + n;
      if (sequence < stream.next) continue;
      const entry = parseEntry(text);
      stream.unread.push({ inbox, feed: toFeedName(inbox), sequence, chunk: chunk.first, entry });
    }
    stream.next = Math.max(stream.next, getChunkEnd(chunk));
  }
  if (last) {
    stream.end = getChunkEnd(last);
    stream.from = stream.end;
    if (!more && !stream.start) startAt(stream, last, stream.end);
  }
  stream.ended = !more;
  // The position lies beyond the end of the feed: the cursor belongs to another table.
  if (stream.ended && stream.next > stream.end) throw new ApiError('cursor_expired');
}

/** Starts a read without a given position, at the sequence number of an entry in the chunk. */
function startAt(stream: FeedStream, { first }: Chunk, next: number): void {
  stream.start = { next, chunk: first };
  stream.next = next;
}

/** Returns the chunks after the last gap. DynamoDB may remove a chunk before an older one. */
function getChunksAfterGaps(chunks: readonly Chunk[], now: number): readonly Chunk[] {
  const lastGone = chunks.findLastIndex((chunk) => !isRetained(chunk, now));
  const afterGap = chunks.findLastIndex(
    (chunk, n) => n > 0 && chunk.first !== getChunkEnd(chunks[n - 1] ?? chunk),
  );
  return chunks.slice(Math.max(lastGone + 1, afterGap, 0));
}
