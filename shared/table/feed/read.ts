import { clock, toSeconds } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import { feedName, type Inbox } from '../../inbox.ts';
import { type Chunk, chunksFrom, endOf, newestChunks, startOf } from './chunk.ts';
import type { FeedPosition, Positions } from './cursor.ts';
import { type Entry, parseEntry } from './entry.ts';
import { firstKept, isKept } from './first-kept.ts';

/** An entry where it stands. */
export interface Placed {
  inbox: Inbox;
  feed: string;
  place: number;
  /** The place of the first entry of its chunk. */
  chunk: number;
  entry: Entry;
}

/** Of 1 KB each: as many as the least that a call is charged for. */
const leastChunks = 4;
/** So many entries a chunk has at least when it is full. */
const entriesAChunk = 12;

/** What was read of feeds, and from where on. */
export interface Reading {
  start: Positions;
  entries: Placed[];
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
  const streams = inboxes.map((inbox) => streamOf(inbox, positions?.get(feedName(inbox))));
  const entries: Placed[] = [];
  for (;;) {
    const missing = limit - entries.length;
    const first = nextOf(streams);
    if (first && missing === 0) return { start: startsOf(streams), entries, more: true };
    const open = streams.filter(isOpen);
    if (open.length > 0) {
      const chunks = 1 + Math.ceil(missing / entriesAChunk / Math.min(streams.length, 3));
      await Promise.all(open.map((stream) => readOn(stream, Math.max(leastChunks, chunks))));
    } else if (first) {
      entries.push(...first.left.splice(0, 1).map(({ placed }) => placed));
    } else {
      return { start: startsOf(streams), entries, more: false };
    }
  }
}

/** The positions after all that there is now. */
export async function endOfFeeds(inboxes: readonly Inbox[]): Promise<Positions> {
  const ends = inboxes.map(async (inbox): Promise<[string, FeedPosition]> => {
    const [last] = await newestChunks(inbox, 1);
    return [feedName(inbox), last ? { next: endOf(last), chunk: last.first } : beginning];
  });
  return new Map(await Promise.all(ends));
}

const beginning: FeedPosition = { next: 1, chunk: 1 };

/** The positions after some entries that were read from `start` on. */
export function positionsAfter(start: Positions, entries: readonly Placed[]): Positions {
  const positions = new Map(start);
  for (const { feed, place, chunk } of entries) positions.set(feed, { next: place + 1, chunk });
  return positions;
}

/** One feed as far as it has been read. */
interface Stream {
  inbox: Inbox;
  /** Where the reading starts; where nobody says so, the oldest that is kept, known once something has been read. */
  start: FeedPosition | undefined;
  /** The place that comes next. */
  next: number;
  /** Where the chunks begin that have not been read. */
  from: number;
  /** The place after the last one that has been given out, as far as it has been read. */
  end: number;
  left: { placed: Placed; time: number }[];
  /** Of the last entry that was read. */
  time: number;
  /** Nothing is left of it but `left`. */
  ended: boolean;
}

const streamOf = (inbox: Inbox, start: FeedPosition | undefined): Stream => ({
  inbox,
  start,
  next: start?.next ?? 1,
  from: start?.chunk ?? 1,
  end: 1,
  left: [],
  time: 0,
  ended: false,
});

/** What comes next of it is not known. */
const isOpen = ({ left, ended }: Stream): boolean => left.length === 0 && !ended;

const startsOf = (streams: readonly Stream[]): Positions =>
  new Map(streams.map(({ inbox, start }) => [feedName(inbox), start ?? beginning]));

const nextOf = (streams: readonly Stream[]): Stream | undefined => {
  const timeOf = ({ left: [first] }: Stream) => first?.time ?? Number.POSITIVE_INFINITY;
  return streams
    .filter(({ left }) => left.length > 0)
    .reduce<Stream | undefined>(
      (first, one) => (first === undefined || timeOf(one) < timeOf(first) ? one : first),
      undefined,
    );
};

async function readOn(stream: Stream, limit: number): Promise<void> {
  const { inbox } = stream;
  const { chunks: found, more } = await chunksFrom(inbox, stream.from, limit);
  const now = toSeconds(clock.now());
  const kept = found.filter((chunk) => isKept(chunk, now));
  const last = found.at(-1);
  if (stream.start) {
    const isGone = (chunk: Chunk) => !isKept(chunk, now) && endOf(chunk) > stream.next;
    if (found.some(isGone)) throw new ApiError('cursor_expired');
  } else if (last && more && kept.length === 0) {
    stream.from = await firstKept(inbox, endOf(last), now);
    return;
  }
  const chunks = stream.start ? kept : withoutGap(kept);
  for (const chunk of chunks) {
    if (!stream.start) {
      stream.start = { next: startOf(chunk), chunk: chunk.first };
      stream.next = startOf(chunk);
    }
    if (startOf(chunk) > stream.next) throw new ApiError('cursor_expired');
    for (const [n, text] of chunk.entries.entries()) {
      const place = startOf(chunk) + n;
      const entry = parseEntry(text);
      // As times of a feed may go back a little, each counts as not before those below.
      stream.time = Math.max(stream.time, entry.at);
      if (place < stream.next) continue;
      const placed = { inbox, feed: feedName(inbox), place, chunk: chunk.first, entry };
      stream.left.push({ placed, time: stream.time });
    }
    stream.next = Math.max(stream.next, endOf(chunk));
  }
  if (last) {
    stream.end = endOf(last);
    stream.from = stream.end;
  }
  stream.ended = !more;
  // Of a place that nobody has been given: the cursor is of another life of the feed.
  if (stream.ended && stream.next > stream.end) throw new ApiError('cursor_expired');
}

/** From the oldest on there may be one that has gone before one that is older: what is before it is as good as gone. */
function withoutGap(chunks: readonly Chunk[]): readonly Chunk[] {
  const from = chunks.findLastIndex(
    (chunk, n) => n > 0 && chunk.first !== endOf(chunks[n - 1] ?? chunk),
  );
  return chunks.slice(Math.max(0, from));
}
