import * as v from 'valibot';
import { mostUnread } from '../../contract/expand.ts';
import { queryPage } from '../calls/access.ts';
import { lastSequence, messageKey } from '../keys/keys.ts';

/** A count that may have to be gone on with. */
export interface Count {
  conversationId: string;
  readerId: string;
  unread: number;
  /** The place after which to count on; undefined when it is done. */
  from: number | undefined;
}

export const beginCount = (conversationId: string, readerId: string, from: number): Count => ({
  conversationId,
  readerId,
  unread: 0,
  from,
});

/** Of a place of the log what counts: who sent the message, or where a run of empty places ends. */
const Entry = v.object({
  sequence: v.number(),
  sent_by: v.optional(v.string()),
  empty_to: v.optional(v.number()),
});

const placesAtOnce = 100;

/**
 * Counts on, by one call: messages above a place that others than the reader have sent, up to `mostUnread`. What is deleted
 * does not count, and no place that holds nothing yet.
 */
export async function countOn(count: Count): Promise<Count> {
  const { conversationId, readerId, from = lastSequence } = count;
  const { pk, sk: low } = messageKey(conversationId, from + 1);
  const { sk: high } = messageKey(conversationId, lastSequence);
  const page = await queryPage({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
    ProjectionExpression: '#sequence, sent_by, empty_to',
    ExpressionAttributeNames: { '#sequence': 'sequence' },
    ExpressionAttributeValues: { ':pk': pk, ':low': low, ':high': high },
    ConsistentRead: true,
    Limit: placesAtOnce,
  });
  const entries = page.items.map((item) => v.parse(Entry, item));
  const others = entries.filter(
    ({ sent_by }) => sent_by !== undefined && sent_by !== readerId,
  ).length;
  const unread = Math.min(count.unread + others, mostUnread);
  const reached = Math.max(
    ...entries.map(({ sequence, empty_to = 0 }) => Math.max(sequence, empty_to)),
  );
  const isDone = unread === mostUnread || page.next === undefined || entries.length === 0;
  return { ...count, unread, from: isDone ? undefined : reached };
}
