import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { clock } from '../../../clock.ts';
import { getItem, update, type Write } from '../../calls/access.ts';
import { type Condition, toAssignment, toUnchangedCondition } from '../../calls/expressions.ts';
import { removeItem } from '../../calls/remove-items.ts';
import { type Key, pairBlocksKey, parsePair } from '../../keys/keys.ts';
import { toBlockError } from '../items/blocked.ts';
import type { Participants } from '../items/conversation-item.ts';

/**
 * Who of two contacts blocks the other, in milliseconds since when, in the order of the key. The
 * conversations and lists of the two follow this record.
 */
const PairBlocks = v.object({
  first_blocked_at: v.optional(v.number()),
  second_blocked_at: v.optional(v.number()),
  /** Random id of the latest change, by which a change notices a concurrent one. */
  change: v.optional(v.string()),
  /** Milliseconds. */
  changed_at: v.optional(v.number()),
});

export interface Block {
  blocker: string;
  blocked: string;
}

const getAttribute = ({ blocker, blocked }: Block) =>
  blocker < blocked ? 'first_blocked_at' : 'second_blocked_at';

const toKey = ({ blocker, blocked }: Block): Key => pairBlocksKey(blocker, blocked);

/** Returns since when the block exists, in milliseconds; `undefined` if it does not. */
export const getBlockedAt = async (block: Block): Promise<number | undefined> =>
  v.parse(PairBlocks, (await getItem(toKey(block))) ?? {})[getAttribute(block)];

/** Returns both possible blocks of a pair, since when each exists, and the latest change. */
export async function getBlocks(key: Key) {
  const [first, second] = parsePair(key);
  const item = v.parse(PairBlocks, (await getItem(key)) ?? {});
  const blocks = [
    { blocker: first, blocked: second, at: item.first_blocked_at },
    { blocker: second, blocked: first, at: item.second_blocked_at },
  ];
  return { blocks, change: item.change, changedAt: item.changed_at };
}

/** Throws `blocking` or `blocked` if the caller and the contact named alone block one another. */
export async function requireUnblockedPair(
  caller: Caller,
  { contact_id: other, group_id }: Participants,
): Promise<void> {
  if (!other || group_id || other === caller.id) return;
  const { blocks } = await getBlocks(pairBlocksKey(caller.id, other));
  const existing = blocks.filter(({ at }) => at !== undefined);
  if (existing.length > 0)
    throw toBlockError(existing.some(({ blocker }) => blocker === caller.id));
}

/** Stores a new change and, with `isNew`, the block. Returns `undefined` if there is no block. */
export async function touchBlock(
  block: Block,
  { isNew }: { isNew: boolean },
): Promise<BlockChange | undefined> {
  const change = randomUUID();
  const name = getAttribute(block);
  const written = await update({
    Key: toKey(block),
    UpdateExpression: `SET ${name} = if_not_exists(${name}, :now), change = :change, changed_at = :now`,
    ...(!isNew && { ConditionExpression: `attribute_exists(${name})` }),
    ExpressionAttributeValues: { ':now': clock.now(), ':change': change },
    ReturnValues: 'ALL_NEW',
  });
  if (!written.done) return undefined;
  const { [name]: at = 0 } = v.parse(PairBlocks, written.item);
  return { change, at };
}

export interface BlockChange {
  change: string;
  /** Since when the block exists, in milliseconds. */
  at: number;
}

/** Returns the check that the change is the latest one; without one, that there is no record. */
export const toLatestChangeCheck = (block: Block, change: string | undefined): Write => ({
  check: { Key: toKey(block), ...toLatestChangeCondition(change) },
});

const toLatestChangeCondition = (change: string | undefined): Condition =>
  toUnchangedCondition({ change }, ['change']);

/** Removes the block if the change is the latest one, and reports success. */
export async function removeBlock(block: Block, { change }: BlockChange): Promise<boolean> {
  const isLatest = toLatestChangeCondition(change);
  const written = await update({
    Key: toKey(block),
    ...toAssignment({ [getAttribute(block)]: undefined }, isLatest),
    ReturnValues: 'ALL_NEW',
  });
  if (!written.done) return false;
  const { first_blocked_at, second_blocked_at } = v.parse(PairBlocks, written.item);
  const isEmpty = first_blocked_at === undefined && second_blocked_at === undefined;
  if (isEmpty) await removeItem(toKey(block), isLatest);
  return true;
}
