import * as v from 'valibot';
import { clock } from '../../../clock.ts';
import { maxUnread } from '../../../contract/resources/expand.ts';
import { recordLostMark } from '../../../log/invocation.ts';
import { queryPage } from '../../calls/access.ts';
import { toProjection } from '../../calls/expressions.ts';
import { advanceReadSequence } from '../../conversations/write/record-opening.ts';
import { maxSequence, messageKey } from '../../keys/keys.ts';
import { tableKey } from '../../keys/names.ts';
import { MessageItem, MessageTombstone } from '../log/message-item.ts';
import { getResolvedUpTo } from '../log/resolve-gaps.ts';

/** Query for the number of other members' messages above the sequence number `readSequence`. */
export interface UnreadQuery {
  conversationId: string;
  readerId: string;
  readSequence: number;
  /** Highest reserved sequence number, read consistently in this request. */
  messageCount: number;
}

export interface UnreadResult {
  unread: number;
  /** Whether a counted message mentions the reader. */
  isMentioned: boolean;
}

interface CountProgress extends UnreadQuery, UnreadResult {
  reached: number;
  isDone: boolean;
  calls: number;
  /** No message up to this sequence number is unread, and no send in progress can add one. */
  noUnreadUpTo: number;
  storedUpTo: number;
}

/**
 * Maximum number of calls for all counts of a page, excluding the first call of each count. The
 * most expensive count makes this number of calls.
 */
const maxFurtherCalls = 25;

/**
 * Counts unread messages for each query, up to `maxUnread`. The count for an `undefined` query is
 * 0. If the calls reach `maxFurtherCalls`, returns only the first counts, but at least one.
 */
export async function countUnread(
  queries: readonly (UnreadQuery | undefined)[],
): Promise<UnreadResult[]> {
  const started = await Promise.all(queries.map((one) => one && countPage(startCount(one))));
  const done: UnreadResult[] = [];
  let calls = 0;
  for (const count of started) {
    let current = count;
    while (current && !current.isDone && (done.length === 0 || calls < maxFurtherCalls)) {
      current = await continueCount(current);
      calls += 1;
    }
    if (current?.isDone === false) return done;
    done.push(current ?? noUnread);
  }
  return done;
}

export const noUnread: UnreadResult = { unread: 0, isMentioned: false };

/**
 * Continues a count and stores the sequence number up to which no message is unread, so that later
 * counts start there. That sequence number is below the first unread message and the first gap, so
 * later results are unchanged.
 */
async function continueCount(count: CountProgress): Promise<CountProgress> {
  const next = await countPage(count);
  const { conversationId, readerId, noUnreadUpTo, storedUpTo } = next;
  if (noUnreadUpTo <= storedUpTo) return next;
  const advance = { from: storedUpTo, to: noUnreadUpTo };
  await advanceReadSequence(conversationId, readerId, advance).catch(recordLostMark);
  return { ...next, storedUpTo: noUnreadUpTo };
}

const startCount = (query: UnreadQuery): CountProgress => ({
  ...query,
  ...noUnread,
  reached: query.readSequence,
  isDone: false,
  calls: 0,
  noUnreadUpTo: query.readSequence,
  storedUpTo: query.readSequence,
});

const CountedEntry = v.object({
  ...v.pick(MessageTombstone, ['sequence', 'previous_at', 'empty_from', 'empty_to']).entries,
  ...v.pick(v.partial(MessageItem), ['sent_by', 'mentions']).entries,
});
type CountedEntry = v.InferOutput<typeof CountedEntry>;
const attributeNames = Object.keys(CountedEntry.entries);

interface CountedPage {
  entries: CountedEntry[];
  hasMore: boolean;
}

const initialPageSize = 100;
/** Growth factor of the page size. Small counts read little data; large counts need few calls. */
const pageGrowth = 4;
const maxPageSize = 100_000;

async function countPage(count: CountProgress): Promise<CountProgress> {
  const { readerId, reached, calls } = count;
  const { entries, hasMore } = await readPage(count);
  const isUnread = ({ sent_by }: CountedEntry) => sent_by !== undefined && sent_by !== readerId;
  const unreadEntries = entries.filter(isUnread).slice(0, maxUnread - count.unread);
  const unread = count.unread + unreadEntries.length;
  const isMentioned =
    count.isMentioned || unreadEntries.some(({ mentions }) => mentions?.includes(readerId));
  const firstUnread = entries.findIndex(isUnread);
  const readEntries = firstUnread === -1 ? entries : entries.slice(0, firstUnread);
  const isContiguous = count.noUnreadUpTo === reached;
  return {
    ...count,
    unread,
    isMentioned,
    reached: Math.max(
      reached,
      ...entries.map(({ sequence, empty_to = 0 }) => Math.max(sequence, empty_to)),
    ),
    isDone: unread === maxUnread || !hasMore,
    calls: calls + 1,
    noUnreadUpTo: isContiguous
      ? getResolvedUpTo(readEntries, reached, clock.now())
      : count.noUnreadUpTo,
  };
}

/**
 * Reads the first page with eventual consistency, at half the price. If an entry is missing, reads
 * the page again with strong consistency. Otherwise, the page is exact, except for recent
 * deletions. Reads later pages with strong consistency.
 */
async function readPage(count: CountProgress): Promise<CountedPage> {
  if (count.calls > 0) return queryEntries(count, true);
  const page = await queryEntries(count, false);
  const end = (page.hasMore && page.entries.at(-1)?.sequence) || count.messageCount;
  // If the time is 0, every gap counts as one that a send may still fill.
  const isComplete = getResolvedUpTo(page.entries, count.reached, 0) >= end;
  return isComplete ? page : queryEntries(count, true);
}

async function queryEntries(
  { conversationId, reached, calls }: CountProgress,
  isConsistent: boolean,
): Promise<CountedPage> {
  const { pk, sk: low } = messageKey(conversationId, reached + 1);
  const { sk: high } = messageKey(conversationId, maxSequence);
  const page = await queryPage({
    KeyConditionExpression: `${tableKey.partition} = :pk AND ${tableKey.sort} BETWEEN :low AND :high`,
    ...toProjection(attributeNames),
    ExpressionAttributeValues: { ':pk': pk, ':low': low, ':high': high },
    ConsistentRead: isConsistent,
    Limit: Math.min(initialPageSize * pageGrowth ** calls, maxPageSize),
  });
  const entries = page.items.map((item) => v.parse(CountedEntry, item));
  return { entries, hasMore: page.next !== undefined };
}
