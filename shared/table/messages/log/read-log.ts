import { maxReplyBytes } from '../../../contract/list.ts';
import { noteLostMark } from '../../../log/invocation.ts';
import { queryPage } from '../../calls/access.ts';
import { maxSequence, messageKey } from '../../keys/keys.ts';
import { tableKey } from '../../keys/names.ts';
import { compactTombstoneRanges, skipThreshold } from './compact-tombstone-ranges.ts';
import { lookUpRangeBound } from './look-up-range-bound.ts';
import {
  contentBytes,
  getTombstoneRange,
  isMessage,
  type LogEntry,
  type MessageItem,
  toLogEntry,
} from './message-item.ts';
import { resolveGaps } from './resolve-gaps.ts';

export interface LogRange {
  conversationId: string;
  /** `older` reads towards the first message, `newer` towards the last. */
  direction: 'older' | 'newer';
  /** The place to start from, itself not given; without it, from the log's end. */
  from?: number | undefined;
  /** How many messages are wanted. */
  count: number;
}

/** What has been read of a log so far. */
export interface LogReading {
  range: LogRange;
  entries: LogEntry[];
  /** The place to read on from, itself included; undefined where the log ends in the direction of travel. */
  next: number | undefined;
  /** It is the far end of a run of empty places. */
  leapt: boolean;
  /** What the last call asked for and gave. */
  page: { limit: number; entries: LogEntry[] };
  /** Ends of runs that were asked for the other one. */
  checkedBounds: readonly number[];
}

/** Markers that a reader reads for each message and leaves as they are: together they are as long as one. */
const maxTombstonesPerMessage = 6;
/** Of a megabyte, which is what one call gives, markers fill less than a fifth then. */
const maxPageSize = 1000;
/**
 * However few messages were found so far, a call asks for so many times as many places as the last one: behind the last
 * marker there may be messages only, and these are not small.
 */
const pageGrowth = 3;

/** Begins to read, by one call: what may be asked beside the check of who asks. */
export const openLog = (range: LogRange): Promise<LogReading> =>
  readPage({
    range,
    entries: [],
    next: range.from ?? getLogEnd(range),
    leapt: false,
    page: { limit: maxPageSize, entries: [] },
    checkedBounds: [],
  });

/**
 * Reads on until there are `count` messages, or more than one reply can hold, or none are left. Over runs of empty places
 * it leaps, from one end to the other.
 */
export async function continueReading(reading: LogReading): Promise<LogReading> {
  let read = reading;
  while (read.next !== undefined && countMissing(read) > 0 && !isFull(read))
    read = await readPage(await skipToRangeBound(read));
  return read;
}

/**
 * The messages that a reading gives, in the direction of travel: `count`, or as many as one reply can hold and one more,
 * fewer only where the log ends; `more` says that it does not. What is given is complete: no later reading shows a message
 * between two of them. Undecided places are decided on the way, so this is for those who take part in the conversation.
 */
export async function readMessages(
  reading: LogReading,
): Promise<{ messages: MessageItem[]; more: boolean }> {
  const { range, entries, next } = await continueReading(reading);
  const resolved = await resolveGaps(range.conversationId, entries, getFloor(range, entries, next));
  const tombstones = resolved.length - selectMessages(range, resolved).length;
  if (tombstones > Math.max(skipThreshold, maxTombstonesPerMessage * range.count)) {
    await compactTombstoneRanges(range.conversationId, resolved).catch(noteLostMark);
  }
  const sign = range.direction === 'older' ? -1 : 1;
  const found = selectMessages(range, resolved).sort((a, b) => sign * (a.sequence - b.sequence));
  return {
    messages: found.slice(0, range.count),
    more: next !== undefined || found.length > range.count,
  };
}

/**
 * The highest message of a log; undefined where there is none. Decides nothing: a place above it that is not decided yet
 * can only come to hold a newer one.
 */
export async function getNewestMessage(conversationId: string): Promise<MessageItem | undefined> {
  const { entries } = await continueReading(
    await openLog({ conversationId, direction: 'older', count: 1 }),
  );
  return entries.find(isMessage);
}

const getLogEnd = ({ direction }: LogRange) => (direction === 'older' ? maxSequence : 0);

const selectMessages = ({ from }: LogRange, entries: LogEntry[]): MessageItem[] =>
  entries.filter(isMessage).filter(({ sequence }) => sequence !== from);

const countMissing = ({ range, entries }: LogReading): number =>
  range.count - selectMessages(range, entries).length;

const isFull = ({ range, entries }: LogReading): boolean =>
  selectMessages(range, entries).reduce((sum, one) => sum + contentBytes(one), 0) > maxReplyBytes;

/** The place below which nothing was read: a hole right above it counts too. */
function getFloor(range: LogRange, entries: LogEntry[], next: number | undefined): number {
  if (range.direction === 'newer') return range.from ?? 0;
  return next === undefined ? 0 : Math.min(...entries.map(({ sequence }) => sequence));
}

/** Reads what one call gives. */
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
 * As many places as will have the missing messages, if they lie as thick as so far; behind a leap, as if there were no
 * others. One more for the place to start from: it tells whether a hole next to it may still be filled.
 */
function getNextPageSize(reading: LogReading): number {
  const { range, entries, leapt, page } = reading;
  const missing = countMissing(reading);
  const found = range.count - missing;
  const entriesPerMessage = leapt ? 1 : Math.ceil((entries.length + 1) / (found + 1));
  const start = range.from === undefined && !leapt ? 0 : 1;
  const maxGrowth = Math.max(pageGrowth * page.limit, skipThreshold + range.count);
  return Math.min(missing * entriesPerMessage + start, maxGrowth, maxPageSize);
}

/** Leaps by what the run's other end has to tell, where a page was read in vain and nothing on it told enough. */
async function skipToRangeBound(reading: LogReading): Promise<LogReading> {
  const { range, entries, page, leapt, checkedBounds } = reading;
  if (leapt || selectMessages(range, page.entries).length > 0) return reading;
  const { conversationId, direction } = range;
  const answer = await lookUpRangeBound({
    conversationId,
    direction,
    page: page.entries,
    entries,
    checkedBounds,
  });
  if (!answer) return reading;
  const { bound, tombstone } = answer;
  return {
    ...reading,
    entries: entries.map((entry) => (entry.sequence === tombstone.sequence ? tombstone : entry)),
    ...getNextPosition(range, [tombstone], true),
    checkedBounds: [...checkedBounds, bound],
  };
}

/** Where to go on after a page: at the far end of a long run of empty places that begins in it, or after the page's last. */
function getNextPosition(
  { direction }: LogRange,
  read: LogEntry[],
  more: boolean,
): Pick<LogReading, 'next' | 'leapt'> {
  const last = read.at(-1)?.sequence;
  if (last === undefined || !more) return { next: undefined, leapt: false };
  const [step, skipTarget] =
    direction === 'older'
      ? [-1, Math.min(...read.map((entry) => getTombstoneRange(entry)?.rangeStart ?? last))]
      : [1, Math.max(...read.map((entry) => getTombstoneRange(entry)?.rangeEnd ?? last))];
  const leapt = (skipTarget - last) * step > skipThreshold;
  return { next: leapt ? skipTarget : last + step, leapt };
}
