import * as v from 'valibot';
import { queryPage } from '../calls/access.ts';
import { namedPartition, pairPartition } from '../keys/keys.ts';
import { indexes } from '../keys/names.ts';

const { partition, sort } = indexes.gsi3;
const PairedItem = v.object({ [sort]: v.string() });

interface Wanted {
  /** How many are looked for. */
  limit: number;
  /** The oldest ones; without it the newest. */
  oldest?: boolean;
}

/**
 * The ids of direct conversations of two contacts, or of a contact with themself, in the order of their creation. The index
 * may be a moment behind: whoever shows anything of a conversation has to look it up.
 */
export const conversationsOfPair = (one: string, other: string, wanted: Wanted) =>
  idsIn(pairPartition(one, other), wanted);

/** The same of the conversations of a group that name the contact. */
export const conversationsNaming = (groupId: string, contactId: string, wanted: Wanted) =>
  idsIn(namedPartition(groupId, contactId), wanted);

async function idsIn(key: string, { limit, oldest = false }: Wanted): Promise<string[]> {
  const { items } = await queryPage({
    IndexName: 'gsi3',
    KeyConditionExpression: `${partition} = :partition`,
    ExpressionAttributeValues: { ':partition': key },
    ProjectionExpression: sort,
    ScanIndexForward: oldest,
    Limit: limit,
  });
  return items.map((item) => v.parse(PairedItem, item)[sort]);
}
