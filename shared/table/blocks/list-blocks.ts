import * as v from 'valibot';
import { queryPage } from '../calls/access.ts';
import { type BlockPosition, blockKey, contactKey } from '../keys/keys.ts';
import { blockSortPrefix, tableKey } from '../keys/names.ts';

/** A block in the blocker's list. `created_at` is in milliseconds. */
export const BlockItem = v.object({ blocked_id: v.string(), created_at: v.number() });

export interface BlockRange {
  /** Position to start after. */
  start: BlockPosition | undefined;
  backwards: boolean;
  count: number;
}

/** Returns up to `count` blocks, newest first or, if `backwards`, oldest first. */
export async function listBlocks(
  blocker: string,
  { start, backwards, count }: BlockRange,
): Promise<BlockPosition[]> {
  const { items } = await queryPage({
    KeyConditionExpression: `${tableKey.partition} = :pk AND begins_with(${tableKey.sort}, :blocks)`,
    ExpressionAttributeValues: { ':pk': contactKey(blocker).pk, ':blocks': blockSortPrefix },
    ConsistentRead: true,
    ScanIndexForward: backwards,
    Limit: count,
    ...(start && { ExclusiveStartKey: blockKey(blocker, start) }),
  });
  return v
    .parse(v.array(BlockItem), items)
    .map(({ blocked_id, created_at }) => ({ contactId: blocked_id, at: created_at }));
}
