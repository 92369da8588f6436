import * as v from 'valibot';
import { clock } from '../../../clock.ts';
import { maxUnread } from '../../../contract/expand.ts';
import { noteLostMark } from '../../../log/invocation.ts';
import { queryPage } from '../../calls/access.ts';
import { advanceReadSequence } from '../../conversations/write/record-opening.ts';
import { maxSequence, messageKey } from '../../keys/keys.ts';
import { tableKey } from '../../keys/names.ts';
import { MessageTombstone } from '../log/message-item.ts';
import { getResolvedUpTo } from '../log/resolve-gaps.ts';

/** What is to be counted: messages above a place that others than the reader have sent. */
export interface UnreadQuery {
  conversationId: string;
  readerId: string;
  /** The place. */
  readSequence: number;
}

/** A count that may have to be gone on with. */
interface CountProgress extends UnreadQuery {
  unread: number;
  /** The place that it has come to. */
  reached: number;
  isDone: boolean;
  calls: number;
  /** Up to there is nothing that is unread, or ever will be. */
  noUnreadUpTo: number;
  /** As far as that is known to the next count. */
  storedUpTo: number;
}

/** How many calls the counts of a page may take beyond the first of each: as many as the dearest one takes alone. */
const maxFurtherCalls = 25;

/**
 * How many messages of others there are, up to `mostUnread` each, in the order of what is to be counted. What is deleted
 * does not count, and no place that holds nothing yet. Those from which on too many calls would be needed are left out, but
 * never the first.
 */
export async function countUnread(wanted: readonly (UnreadQuery | undefined)[]): Promise<number[]> {
  const started = await Promise.all(wanted.map((one) => one && countPage(startCount(one))));
  const done: number[] = [];
  let calls = 0;
  for (const count of started) {
    let current = count;
    while (current && !current.isDone && (done.length === 0 || calls < maxFurtherCalls)) {
      current = await continueCount(current);
      calls += 1;
    }
    if (current?.isDone === false) return done;
    done.push(current?.unread ?? 0);
  }
  return done;
}

/**
 * Counts on, and spares later counts what this one has read in vain: the reader's own messages, and deleted ones. No count
 * is changed by that, as it goes no farther than below the first message that is unread, and than below the first place that
 * may still be filled. What one call can read again is not worth the write; a note that is lost costs only time.
 */
async function continueCount(count: CountProgress): Promise<CountProgress> {
  const next = await countPage(count);
  const { conversationId, readerId, noUnreadUpTo, storedUpTo } = next;
  if (noUnreadUpTo <= storedUpTo) return next;
  await advanceReadSequence(conversationId, readerId, noUnreadUpTo).catch(noteLostMark);
  return { ...next, storedUpTo: noUnreadUpTo };
}

const startCount = (wanted: UnreadQuery): CountProgress => ({
  ...wanted,
  unread: 0,
  reached: wanted.readSequence,
  isDone: false,
  calls: 0,
  noUnreadUpTo: wanted.readSequence,
  storedUpTo: wanted.readSequence,
});

/** Of a place of the log what counts: who sent the message, and what tells which places are decided. */
const CountedEntry = v.object({
  ...v.pick(MessageTombstone, ['sequence', 'previous_at', 'empty_from', 'empty_to']).entries,
  sent_by: v.optional(v.string()),
});
const attributeNames = Object.keys(CountedEntry.entries);

const initialPageSize = 100;
/** So many times as many with each call: few are read in vain, and soon each call gives a megabyte, which is all it can. */
const pageGrowth = 4;
const maxPageSize = 100_000;

/** Counts on, by one call. */
async function countPage(count: CountProgress): Promise<CountProgress> {
  const { conversationId, readerId, reached, calls } = count;
  const now = clock.now();
  const { pk, sk: low } = messageKey(conversationId, reached + 1);
  const { sk: high } = messageKey(conversationId, maxSequence);
  const page = await queryPage({
    KeyConditionExpression: `${tableKey.partition} = :pk AND ${tableKey.sort} BETWEEN :low AND :high`,
    ProjectionExpression: attributeNames.map((_, n) => `#${n}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributeNames.map((name, n) => [`#${n}`, name])),
    ExpressionAttributeValues: { ':pk': pk, ':low': low, ':high': high },
    ConsistentRead: true,
    Limit: Math.min(initialPageSize * pageGrowth ** calls, maxPageSize),
  });
  const entries = page.items.map((item) => v.parse(CountedEntry, item));
  const isUnread = ({ sent_by }: (typeof entries)[number]) =>
    sent_by !== undefined && sent_by !== readerId;
  const unread = Math.min(count.unread + entries.filter(isUnread).length, maxUnread);
  const firstUnread = entries.findIndex(isUnread);
  const readEntries = firstUnread === -1 ? entries : entries.slice(0, firstUnread);
  const isContiguous = count.noUnreadUpTo === reached;
  return {
    ...count,
    unread,
    reached: Math.max(
      reached,
      ...entries.map(({ sequence, empty_to = 0 }) => Math.max(sequence, empty_to)),
    ),
    isDone: unread === maxUnread || page.next === undefined,
    calls: calls + 1,
    noUnreadUpTo: isContiguous ? getResolvedUpTo(readEntries, reached, now) : count.noUnreadUpTo,
  };
}
