import * as v from 'valibot';
import { clock, maxRequestMilliseconds } from '../../../clock.ts';
import { getItem, queryPage } from '../../calls/access.ts';
import { removeItem } from '../../calls/remove-items.ts';
import { contentKey, messageKey, parseMessageSort } from '../../keys/keys.ts';
import { tableKey } from '../../keys/names.ts';

/** Milliseconds allowed for clock differences and for the rounding of a stream record's time. */
const clockTolerance = 2000;

const LogEntry = v.optional(
  v.object({ content_id: v.optional(v.string()), updated_at: v.optional(v.number()) }),
  {},
);
const ContentItems = v.array(
  v.object({
    [tableKey.partition]: v.string(),
    [tableKey.sort]: v.string(),
    created_at: v.number(),
  }),
);

/**
 * Removes content items of a deleted message, of a message's earlier version, or of a crashed send
 * or edit. First waits until every request that has read or written the content has ended. `sk` is
 * the sort key of the new content item or changed log entry; `changedAt` is the time of the change
 * (milliseconds).
 */
export async function removeUnusedContent(
  conversationId: string,
  sk: string,
  changedAt: number,
): Promise<'kept' | 'removed'> {
  const { sequence, contentId } = parseMessageSort(sk);
  const readEntry = async () =>
    v.parse(LogEntry, await getItem(messageKey(conversationId, sequence)));
  const found = await readEntry();
  // If the message was never edited, this item is its only content.
  if (contentId && found.content_id === contentId && !found.updated_at) return 'kept';
  const settledAt = changedAt + clockTolerance + maxRequestMilliseconds;
  await clock.sleep(Math.max(0, settledAt - clock.now()));
  const items = await queryContentItems(conversationId, sequence);
  const { content_id } = await readEntry();
  const used = contentKey(conversationId, sequence, content_id).sk;
  const unused = items.filter(
    (item) => item.sk !== used && item.created_at + maxRequestMilliseconds <= clock.now(),
  );
  await Promise.all(unused.map((item) => removeItem(item)));
  return unused.length > 0 ? 'removed' : 'kept';
}

async function queryContentItems(conversationId: string, sequence: number) {
  const { pk, sk: prefix } = contentKey(conversationId, sequence);
  const { items } = await queryPage({
    KeyConditionExpression: `${tableKey.partition} = :pk AND begins_with(${tableKey.sort}, :prefix)`,
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    ProjectionExpression: `${tableKey.partition}, ${tableKey.sort}, created_at`,
    ConsistentRead: true,
  });
  return v.parse(ContentItems, items);
}
