import { ApiError } from '../../../api-error.ts';
import { clock, toSeconds } from '../../../clock.ts';
import { type Inbox, toFeedName } from '../../../inbox.ts';
import { type DeriveBound, getGroupBounds } from '../../group-heads.ts';
import {
  type Chunk,
  getChunkEnd,
  getChunkStart,
  getChunksFrom,
  getNewestChunks,
  lookUpChunks,
} from '../feed-chunk.ts';
import { type FeedEntry, parseEntry } from '../feed-entry.ts';
import type { FeedPosition, Positions } from './feed-cursor.ts';
import { findFirstRetained, isRetained } from './find-first-retained.ts';

export interface SequencedEntry {
  inbox: Inbox;
  feed: string;
  sequence: number;
  chunk: number;
  entry: FeedEntry;
}

/** Minimum number of chunks per call. Four 1-KB chunks cost one read unit, the minimum charge. */
const minChunks = 4;
/** Lower bound on the number of entries in a full chunk. */
const minEntriesPerFullChunk = 12;

export interface FeedReading {
  start: Positions;
  entries: SequencedEntry[];
  hasMore: boolean;
}

/**
 * Maximum number of feeds read only by query. If there are few feeds, reads by key need more rounds
 * of calls than queries do.
 */
const maxQueriedFeeds = 6;

/**
 * Reads up to `limit` entries, merged by time, from the positions or from the oldest retained
 * entries. If there are many feeds, first reads chunks by key, then queries only feeds with further
 * chunks. Throws `cursor_expired` if entries after a position are missing.
 */
export async function readFeeds(
  inboxes: readonly Inbox[],
  positions: Positions | undefined,
  limit: number,
): Promise<FeedReading> {
  const streams = inboxes.map((inbox) => createStream(inbox, positions?.get(toFeedName(inbox))));
  const entries: SequencedEntry[] = [];
  if (streams.length > maxQueriedFeeds) await readEnds(streams);
  for (;;) {
    const missing = limit - entries.length;
    const first = findEarliest(streams);
    if (first && missing === 0)
      return { start: getStartPositions(streams), entries, hasMore: true };
    const streamsToRead = streams.filter(needsReading);
    if (streamsToRead.length > 0) {
      const chunks = 1 + Math.ceil(missing / minEntriesPerFullChunk / Math.min(streams.length, 3));
      await Promise.all(
        streamsToRead.map((stream) => readMore(stream, Math.max(minChunks, chunks))),
      );
    } else if (first) {
      entries.push(...first.unread.splice(0, 1));
    } else {
      return { start: getStartPositions(streams), entries, hasMore: false };
    }
  }
}

/**
 * Returns the position after each feed's last entry. With many groups, positions may be about a
 * second old. If `stores` is true, also stores missing upper bounds of groups.
 */
export async function getEndPositions(
  inboxes: readonly Inbox[],
  { stores }: { stores: boolean },
): Promise<Positions> {
  const getNewest = await getNewestChunkBounds(inboxes, stores ? deriveNewestChunk : undefined);
  const byKey = inboxes.flatMap((inbox) => {
    const first = getNewest(inbox);
    return first === undefined ? [] : { inbox, first };
  });
  const findChunk = await lookUpChunks(byKey, { consistent: false });
  const ends = inboxes.map(async (inbox): Promise<[string, FeedPosition]> => {
    const first = getNewest(inbox);
    const chunk = first === undefined ? undefined : findChunk({ inbox, first });
    const [last] = chunk || first === 1 ? [chunk] : await getNewestChunks(inbox, 1);
    return [toFeedName(inbox), last ? { next: getChunkEnd(last), chunk: last.first } : startOfFeed];
  });
  return new Map(await Promise.all(ends));
}

/**
 * Returns a function that looks up the highest sequence number at which a group's newest chunk may
 * start.
 */
async function getNewestChunkBounds(inboxes: readonly Inbox[], derive?: DeriveBound | undefined) {
  const groups = inboxes.flatMap(({ kind, id }) => (kind === 'group' ? [id] : []));
  const getBound = await getGroupBounds(groups, 'newest_chunk', derive);
  return ({ kind, id }: Inbox) => (kind === 'group' ? getBound(id) : undefined);
}

async function deriveNewestChunk(group: string): Promise<number> {
  const [newest] = await getNewestChunks({ kind: 'group', id: group }, 1);
  return newest?.first ?? startOfFeed.chunk;
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
  /**
   * Start position of the read. For a read without a cursor, `undefined` until the oldest entry is
   * found.
   */
  start: FeedPosition | undefined;
  next: number;
  /** First sequence number of the next chunk to read. */
  from: number;
  /** Sequence number after the last entry read so far. */
  end: number;
  unread: SequencedEntry[];
  /** Whether `unread` reaches the end of the feed. */
  isComplete: boolean;
}

const createStream = (inbox: Inbox, start: FeedPosition | undefined): FeedStream => ({
  inbox,
  start,
  next: start?.next ?? 1,
  from: start?.chunk ?? 1,
  end: 1,
  unread: [],
  isComplete: false,
});

const needsReading = ({ unread, isComplete }: FeedStream): boolean =>
  unread.length === 0 && !isComplete;

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

/**
 * Reads each position's chunk by key and, if the chunk is full, the next chunk. Most feeds end in
 * one of these chunks. `readFeeds` queries the remaining feeds.
 */
async function readEnds(streams: readonly FeedStream[]): Promise<void> {
  const unstarted = await findSingleChunkFeeds(streams.filter(({ start }) => !start));
  const due = streams.filter((stream) => stream.start || unstarted.has(stream));
  const findChunk = await lookUpNextChunks(due);
  const absent = due.filter((stream) => !findChunk(stream) && stream.from === startOfFeed.chunk);
  const unused = await findSingleChunkFeeds(absent.filter(({ start }) => start));
  for (const stream of absent)
    if (!stream.start || unused.has(stream)) takeChunks(stream, [], false);

  const fullStreams: FeedStream[] = [];
  for (const stream of due) {
    const chunk = findChunk(stream);
    // A chunk with an expiry has a successor. DynamoDB may remove the successor before the chunk.
    if (!chunk || chunk.expires_at !== undefined) continue;
    if (!stream.start) startAt(stream, chunk, getChunkStart(chunk));
    takeChunks(stream, [chunk], chunk.room === 0);
    if (chunk.room === 0) fullStreams.push(stream);
  }
  const findSuccessor = await lookUpNextChunks(fullStreams);
  for (const stream of fullStreams) {
    const successor = findSuccessor(stream);
    takeChunks(stream, successor ? [successor] : [], successor?.room === 0);
  }
}

async function findSingleChunkFeeds(streams: readonly FeedStream[]): Promise<Set<FeedStream>> {
  const getNewest = await getNewestChunkBounds(streams.map(({ inbox }) => inbox));
  return new Set(streams.filter(({ inbox }) => getNewest(inbox) === startOfFeed.chunk));
}

async function lookUpNextChunks(streams: readonly FeedStream[]) {
  const findChunk = await lookUpChunks(streams.map(({ inbox, from }) => ({ inbox, first: from })));
  return ({ inbox, from }: FeedStream) => findChunk({ inbox, first: from });
}

async function readMore(stream: FeedStream, limit: number): Promise<void> {
  const { inbox } = stream;
  const { chunks, hasMore } = await getChunksFrom(inbox, stream.from, limit);
  const now = toSeconds(clock.now());
  const last = chunks.at(-1);
  const retained = stream.start ? chunks : getChunksAfterGaps(chunks, now);
  if (!stream.start && last && hasMore && retained.length === 0) {
    stream.from = await findFirstRetained(inbox, getChunkEnd(last), now);
    return;
  }
  const [first] = retained;
  if (!stream.start && first) startAt(stream, first, getChunkStart(first));
  if (!stream.start && last && !hasMore) startAt(stream, last, getChunkEnd(last));
  if (last) skipTo(stream, getChunkEnd(last));
  takeChunks(stream, retained, hasMore);
}

/**
 * Adds the entries of the next chunks. If `hasMore` is false, the feed ends after these chunks.
 * Throws `cursor_expired` if entries after the position are missing.
 */
function takeChunks(stream: FeedStream, chunks: readonly Chunk[], hasMore: boolean): void {
  const { inbox } = stream;
  const now = toSeconds(clock.now());
  for (const chunk of chunks) {
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
  const last = chunks.at(-1);
  if (last) skipTo(stream, getChunkEnd(last));
  stream.isComplete = !hasMore;
  // The position is beyond the end of the feed, so the cursor belongs to another table.
  if (stream.isComplete && stream.next > stream.end) throw new ApiError('cursor_expired');
}

function skipTo(stream: FeedStream, end: number): void {
  stream.end = end;
  stream.from = end;
}

function startAt(stream: FeedStream, { first }: Chunk, next: number): void {
  stream.start = { next, chunk: first };
  stream.next = next;
}

/**
 * Returns the chunks after the last missing, emptied or expired chunk. DynamoDB may remove a chunk
 * before older chunks.
 */
function getChunksAfterGaps(chunks: readonly Chunk[], now: number): readonly Chunk[] {
  const lastExpired = chunks.findLastIndex((chunk) => !isRetained(chunk, now));
  const afterGap = chunks.findLastIndex(
    (chunk, n) => n > 0 && chunk.first !== getChunkEnd(chunks[n - 1] ?? chunk),
  );
  return chunks.slice(Math.max(lastExpired + 1, afterGap, 0));
}
