import { clock, toSeconds } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import { feedName, type Inbox } from '../../inbox.ts';
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

/** An entry where it stands. */
export interface SequencedEntry {
  inbox: Inbox;
  feed: string;
  sequence: number;
  /** The place of the first entry of its chunk. */
  chunk: number;
  entry: FeedEntry;
}

/** Of 1 KB each: as many as the least that a call is charged for. */
const minChunks = 4;
/** So many entries a chunk has at least when it is full. */
const entriesAChunk = 12;

/** What was read of feeds, and from where on. */
export interface Reading {
  start: Positions;
  entries: SequencedEntry[];
  /** There are others behind them. */
  more: boolean;
}

/**
 * Up to `limit` entries of the feeds of these inboxes from the positions on, or from the oldest kept, merged by time; those
 * of one feed by their places. One call for each feed, side by side, and one more for each time that what was read of one
 * is not enough; a halving each where very much has expired. Throws `cursor_expired` where entries from a position on are
 * not kept any more, or never were.
 */
export async function readFeeds(
  inboxes: readonly Inbox[],
  positions: Positions | undefined,
  limit: number,
): Promise<Reading> {
  const streams = inboxes.map((inbox) => createStream(inbox, positions?.get(feedName(inbox))));
  const entries: SequencedEntry[] = [];
  for (;;) {
    const missing = limit - entries.length;
    const first = findEarliest(streams);
    if (first && missing === 0) return { start: getStartPositions(streams), entries, more: true };
    const open = streams.filter(needsReading);
    if (open.length > 0) {
      const chunks = 1 + Math.ceil(missing / entriesAChunk / Math.min(streams.length, 3));
      await Promise.all(open.map((stream) => readMore(stream, Math.max(minChunks, chunks))));
    } else if (first) {
      entries.push(...first.unread.splice(0, 1).map(({ sequenced: placed }) => placed));
    } else {
      return { start: getStartPositions(streams), entries, more: false };
    }
  }
}

/** The positions after all that there is now. */
export async function endOfFeeds(inboxes: readonly Inbox[]): Promise<Positions> {
  const ends = inboxes.map(async (inbox): Promise<[string, FeedPosition]> => {
    const [last] = await getNewestChunks(inbox, 1);
    return [feedName(inbox), last ? { next: getChunkEnd(last), chunk: last.first } : beginning];
  });
  return new Map(await Promise.all(ends));
}

const beginning: FeedPosition = { next: 1, chunk: 1 };

/** The positions after some entries that were read from `start` on. */
export function positionsAfter(start: Positions, entries: readonly SequencedEntry[]): Positions {
  const positions = new Map(start);
  for (const { feed, sequence: place, chunk } of entries)
    positions.set(feed, { next: place + 1, chunk });
  return positions;
}

/** One feed as far as it has been read. */
interface FeedStream {
  inbox: Inbox;
  /** Where the reading starts; where nobody says so, the oldest that is kept, known once something has been read. */
  start: FeedPosition | undefined;
  /** The place that comes next. */
  next: number;
  /** Where the chunks begin that have not been read. */
  from: number;
  /** The place after the last one that has been given out, as far as it has been read. */
  end: number;
  unread: { sequenced: SequencedEntry; time: number }[];
  /** Of the last entry that was read. */
  time: number;
  /** Nothing is left of it but `left`. */
  ended: boolean;
}

const createStream = (inbox: Inbox, start: FeedPosition | undefined): FeedStream => ({
  inbox,
  start,
  next: start?.next ?? 1,
  from: start?.chunk ?? 1,
  end: 1,
  unread: [],
  time: 0,
  ended: false,
});

/** What comes next of it is not known. */
const needsReading = ({ unread: left, ended }: FeedStream): boolean => left.length === 0 && !ended;

const getStartPositions = (streams: readonly FeedStream[]): Positions =>
  new Map(streams.map(({ inbox, start }) => [feedName(inbox), start ?? beginning]));

const findEarliest = (streams: readonly FeedStream[]): FeedStream | undefined => {
  const timeOf = ({ unread: [first] }: FeedStream) => first?.time ?? Number.POSITIVE_INFINITY;
  return streams
    .filter(({ unread: left }) => left.length > 0)
    .reduce<FeedStream | undefined>(
      (first, one) => (first === undefined || timeOf(one) < timeOf(first) ? one : first),
      undefined,
    );
};

async function readMore(stream: FeedStream, limit: number): Promise<void> {
  const { inbox } = stream;
  const { chunks: read, more } = await getChunksFrom(inbox, stream.from, limit);
  const now = toSeconds(clock.now());
  const retained = read.filter((chunk) => isRetained(chunk, now));
  const last = read.at(-1);
  if (stream.start) {
    const hasExpiredUnread = (chunk: Chunk) =>
      !isRetained(chunk, now) && getChunkEnd(chunk) > stream.next;
    if (read.some(hasExpiredUnread)) throw new ApiError('cursor_expired');
  } else if (last && more && retained.length === 0) {
    stream.from = await findFirstRetained(inbox, getChunkEnd(last), now);
    return;
  }
  const chunks = stream.start ? retained : skipToLastGap(retained);
  for (const chunk of chunks) {
    if (!stream.start) {
      stream.start = { next: getChunkStart(chunk), chunk: chunk.first };
      stream.next = getChunkStart(chunk);
    }
    if (getChunkStart(chunk) > stream.next) throw new ApiError('cursor_expired');
    for (const [n, text] of chunk.entries.entries()) {
      const sequence = getChunkStart(chunk) + n;
      const entry = parseEntry(text);
      // As times of a feed may go back a little, each counts as not before those below.
      stream.time = Math.max(stream.time, entry.at);
      if (sequence < stream.next) continue;
      const sequenced = { inbox, feed: feedName(inbox), sequence, chunk: chunk.first, entry };
      stream.unread.push({ sequenced, time: stream.time });
    }
    stream.next = Math.max(stream.next, getChunkEnd(chunk));
  }
  if (last) {
    stream.end = getChunkEnd(last);
    stream.from = stream.end;
  }
  stream.ended = !more;
  // Of a place that nobody has been given: the cursor is of another life of the feed.
  if (stream.ended && stream.next > stream.end) throw new ApiError('cursor_expired');
}

/** From the oldest on there may be one that has gone before one that is older: what is before it is as good as gone. */
function skipToLastGap(chunks: readonly Chunk[]): readonly Chunk[] {
  const from = chunks.findLastIndex(
    (chunk, n) => n > 0 && chunk.first !== getChunkEnd(chunks[n - 1] ?? chunk),
  );
  return chunks.slice(Math.max(0, from));
}
