import { recordLostMark } from '../../../log/invocation.ts';
import { queryPage } from '../../calls/access.ts';
import { maxSequence, messageKey } from '../../keys/keys.ts';
import { tableKey } from '../../keys/names.ts';
import { compactTombstoneRanges, skipThreshold } from './compact-tombstone-ranges.ts';
import { lookUpRangeBound } from './look-up-range-bound.ts';
import {
  type Direction,
  getTombstoneRange,
  isMessage,
  type LogEntry,
  type MessageItem,
  toLogEntry,
} from './message-item.ts';
import { resolveGaps } from './resolve-gaps.ts';

export interface LogRange {
  conversationId: string;
  direction: Direction;
  /** Sequence number to start after. Default: the end of the log or, for `newer`, its start. */
  from?: number | undefined;
  count: number;
}

export interface LogReading {
  range: LogRange;
  entries: LogEntry[];
  /** Next sequence number to read; `undefined` if the read has reached an end of the log. */
  next: number | undefined;
  /** Whether `next` is the far end of a tombstone range. */
  hasSkipped: boolean;
  page: { limit: number; entries: LogEntry[] };
  checkedBounds: readonly number[];
}

/**
 * Number of tombstones per requested message above which a read may compact the tombstones. Six
 * tombstones are about as large as a message.
 */
const maxTombstonesPerMessage = 6;
/** Maximum entries per page. 1,000 tombstones fill less than a fifth of a query's megabyte. */
const maxPageSize = 1000;
/**
 * Maximum ratio of a page's size to the preceding page's. Limits the bytes read if large messages
 * follow tombstones.
 */
const pageGrowth = 3;

/** Starts a read with one table call. The call can run during the access check. */
export const openLog = (range: LogRange): Promise<LogReading> =>
  readPage({
    range,
    entries: [],
    next: range.from ?? getLogEnd(range),
    hasSkipped: false,
    page: { limit: maxPageSize, entries: [] },
    checkedBounds: [],
  });

/** Reads until it has `count` messages or reaches the end of the log. */
export async function continueReading(reading: LogReading): Promise<LogReading> {
  let read = reading;
  while (read.next !== undefined && countMissing(read) > 0)
    read = await readPage(await skipToRangeBound(read));
  return read;
}

/**
 * Returns the `count` messages that a read requested, or fewer if the log ends. No later read
 * returns a new message between two returned messages. Fills gaps and compacts tombstones, so the
 * caller must be a participant.
 */
export async function readMessages(
  reading: LogReading,
): Promise<{ messages: MessageItem[]; hasMore: boolean }> {
  const { range, entries, next } = await continueReading(reading);
  const resolved = await resolveGaps(range.conversationId, entries, getFloor(range, entries, next));
  const tombstones = resolved.length - selectMessages(range, resolved).length;
  if (tombstones > Math.max(skipThreshold, maxTombstonesPerMessage * range.count)) {
    await compactTombstoneRanges(range.conversationId, resolved).catch(recordLostMark);
  }
  const sign = range.direction === 'older' ? -1 : 1;
  const found = selectMessages(range, resolved).sort((a, b) => sign * (a.sequence - b.sequence));
  return {
    messages: found.slice(0, range.count),
    hasMore: next !== undefined || found.length > range.count,
  };
}

/**
 * Returns the newest message or, if `upTo` is set, the newest message at or below that sequence
 * number. Does not fill gaps: a send into a gap above the returned message only adds a newer
 * message.
 */
export async function getNewestMessage(
  conversationId: string,
  upTo?: number,
): Promise<MessageItem | undefined> {
  const from = upTo === undefined ? undefined : upTo + 1;
  const range = { conversationId, direction: 'older', from, count: 1 } as const;
  const { entries } = await continueReading(await openLog(range));
  return selectMessages(range, entries)[0];
}

const getLogEnd = ({ direction }: LogRange) => (direction === 'older' ? maxSequence : 0);

const selectMessages = ({ from }: LogRange, entries: LogEntry[]): MessageItem[] =>
  entries.filter(isMessage).filter(({ sequence }) => sequence !== from);

const countMissing = ({ range, entries }: LogReading): number =>
  range.count - selectMessages(range, entries).length;

/** Returns the sequence number above which the log, including its gaps, was read. */
function getFloor(range: LogRange, entries: LogEntry[], next: number | undefined): number {
  if (range.direction === 'newer') return range.from ?? 0;
  return next === undefined ? 0 : Math.min(...entries.map(({ sequence }) => sequence));
}

async function readPage(reading: LogReading): Promise<LogReading> {
  const { range, entries, next = getLogEnd(range), checkedBounds } = reading;
  const older = range.direction === 'older';
  const { pk, sk: low } = messageKey(range.conversationId, older ? 0 : next);
  const { sk: high } = messageKey(range.conversationId, older ? next : maxSequence);
  const limit = getNextPageSize(reading);
  const page = await queryPage({
    KeyConditionExpression: `${tableKey.partition} = :pk AND ${tableKey.sort} BETWEEN :low AND :high`,
    ExpressionAttributeValues: { ':pk': pk, ':low': low, ':high': high },
    ConsistentRead: true,
    ScanIndexForward: !older,
    Limit: limit,
  });
  const read = page.items.map(toLogEntry);
  return {
    range,
    entries: [...entries, ...read],
    ...getNextPosition(range, read, page.next !== undefined),
    page: { limit, entries: read },
    checkedBounds,
  };
}

/**
 * Estimates the number of entries that contain the missing messages, from the density of messages
 * in the entries read so far.
 */
function getNextPageSize(reading: LogReading): number {
  const { range, entries, hasSkipped, page } = reading;
  const missing = countMissing(reading);
  const found = range.count - missing;
  const entriesPerMessage = hasSkipped ? 1 : Math.ceil((entries.length + 1) / (found + 1));
  const start = range.from === undefined && !hasSkipped ? 0 : 1;
  const maxGrowth = Math.max(pageGrowth * page.limit, skipThreshold + range.count);
  return Math.min(missing * entriesPerMessage + start, maxGrowth, maxPageSize);
}

/**
 * Reads the bounds of the tombstone range if the last page contains only tombstones and no long
 * range. If the range has become long, skips to its far end.
 */
async function skipToRangeBound(reading: LogReading): Promise<LogReading> {
  const { range, entries, page, hasSkipped, checkedBounds } = reading;
  if (hasSkipped || selectMessages(range, page.entries).length > 0) return reading;
  const { conversationId, direction } = range;
  const rangeBound = await lookUpRangeBound({
    conversationId,
    direction,
    page: page.entries,
    entries,
    checkedBounds,
  });
  if (!rangeBound) return reading;
  const { bound, tombstone } = rangeBound;
  return {
    ...reading,
    entries: entries.map((entry) => (entry.sequence === tombstone.sequence ? tombstone : entry)),
    ...getNextPosition(range, [tombstone], true),
    checkedBounds: [...checkedBounds, bound],
  };
}

/**
 * Returns the position after the last entry. If a tombstone's range extends more than
 * `skipThreshold` beyond that entry, returns the far end of the range.
 */
function getNextPosition(
  { direction }: LogRange,
  read: LogEntry[],
  hasMore: boolean,
): Pick<LogReading, 'next' | 'hasSkipped'> {
  const last = read.at(-1)?.sequence;
  if (last === undefined || !hasMore) return { next: undefined, hasSkipped: false };
  const [step, skipTarget] =
    direction === 'older'
      ? [-1, Math.min(...read.map((entry) => getTombstoneRange(entry)?.rangeStart ?? last))]
      : [1, Math.max(...read.map((entry) => getTombstoneRange(entry)?.rangeEnd ?? last))];
  const hasSkipped = (skipTarget - last) * step > skipThreshold;
  return { next: hasSkipped ? skipTarget : last + step, hasSkipped };
}
