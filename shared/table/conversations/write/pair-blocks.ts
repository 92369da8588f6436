import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { clock } from '../../../clock.ts';
import { getItem, type Item, transact, update, type Write } from '../../calls/access.ts';
import { type Condition, toAssignment, toUnchangedCondition } from '../../calls/expressions.ts';
import { removeItem } from '../../calls/remove-items.ts';
import { blockKey, type Key, pairBlocksKey, parsePair } from '../../keys/keys.ts';
import { toBlockError } from '../items/blocked.ts';
import type { Participants } from '../items/conversation-item.ts';

/**
 * The blocks between two contacts. `first` is the contact whose id sorts first. Timestamps are in
 * milliseconds. Requests write this record before the conversations and block lists.
 */
const PairBlocks = v.object({
  first_blocked_at: v.optional(v.number()),
  second_blocked_at: v.optional(v.number()),
  /** Random id of the latest change to each block, used to detect concurrent changes. */
  first_change: v.optional(v.string()),
  second_change: v.optional(v.string()),
  first_changed_at: v.optional(v.number()),
  second_changed_at: v.optional(v.number()),
});

export interface Block {
  blocker: string;
  blocked: string;
}

const attributesOf = {
  first: { at: 'first_blocked_at', change: 'first_change', changedAt: 'first_changed_at' },
  second: { at: 'second_blocked_at', change: 'second_change', changedAt: 'second_changed_at' },
} as const;

const getAttributes = ({ blocker, blocked }: Block) =>
  attributesOf[blocker < blocked ? 'first' : 'second'];

const toKey = ({ blocker, blocked }: Block): Key => pairBlocksKey(blocker, blocked);

/** Returns a block's creation time in milliseconds; `undefined` if there is no block. */
export const getBlockedAt = async (block: Block): Promise<number | undefined> =>
  v.parse(PairBlocks, (await getItem(toKey(block))) ?? {})[getAttributes(block).at];

/** Returns a pair's blocks in both directions. Without a block, `at` is `undefined`. */
export async function getBlocks(key: Key) {
  const [first, second] = parsePair(key);
  const item = v.parse(PairBlocks, (await getItem(key)) ?? {});
  const blocks: Block[] = [
    { blocker: first, blocked: second },
    { blocker: second, blocked: first },
  ];
  return blocks.map((block) => {
    const { at, change, changedAt } = getAttributes(block);
    return { block, at: item[at], change: item[change], changedAt: item[changedAt] };
  });
}

/** Throws `blocking` or `blocked` if, in a direct conversation, either contact blocks the other. */
export async function requireUnblockedPair(
  caller: Caller,
  { contact_id: other, group_id }: Participants,
): Promise<void> {
  if (!other || group_id || other === caller.id) return;
  const blocks = await getBlocks(pairBlocksKey(caller.id, other));
  const existing = blocks.filter(({ at }) => at !== undefined);
  if (existing.length > 0)
    throw toBlockError(existing.some(({ block }) => block.blocker === caller.id));
}

/**
 * Stores a new change id. If there is no block and `isNew` is true, creates the block. If there is
 * no block and `isNew` is false, returns `undefined`.
 */
export async function touchBlock(
  block: Block,
  { isNew }: { isNew: boolean },
): Promise<BlockChange | undefined> {
  const change = randomUUID();
  const names = getAttributes(block);
  const written = await update({
    Key: toKey(block),
    UpdateExpression: `SET ${names.at} = if_not_exists(${names.at}, :now), ${names.change} = :change, ${names.changedAt} = :now`,
    ...(!isNew && { ConditionExpression: `attribute_exists(${names.at})` }),
    ExpressionAttributeValues: { ':now': clock.now(), ':change': change },
    ReturnValues: 'ALL_NEW',
  });
  if (!written.done) return undefined;
  const { [names.at]: at = 0 } = v.parse(PairBlocks, written.item);
  return { change, at };
}

export interface BlockChange {
  change: string;
  at: number;
}

/**
 * Returns a condition check that `change` is the latest change. If `change` is `undefined`, checks
 * that there is no block.
 */
export const toLatestChangeCheck = (block: Block, change: string | undefined): Write => ({
  check: { Key: toKey(block), ...toLatestChangeCondition(block, change) },
});

function toLatestChangeCondition(block: Block, change: string | undefined): Condition {
  const name = getAttributes(block).change;
  return toUnchangedCondition<Record<string, string | undefined>>({ [name]: change }, [name]);
}

const isEmptyCondition: Condition = {
  ConditionExpression: Object.values(attributesOf)
    .map(({ at }) => `attribute_not_exists(${at})`)
    .join(' AND '),
};

/** Returns the check that neither of two contacts blocks the other. */
export const toNoBlockCheck = (key: Key): Write => ({ check: { Key: key, ...isEmptyCondition } });

/** Reports whether a pair's item contains a block in either direction. */
export function isBlockedPair(item: Item | undefined): boolean {
  const blocks = v.parse(PairBlocks, item ?? {});
  return Object.values(attributesOf).some(({ at }) => blocks[at] !== undefined);
}

/**
 * Removes the block and its entry in the blocker's list. Returns false if `change` is no longer the
 * latest change.
 */
export async function removeBlock(block: Block, { change, at }: BlockChange): Promise<boolean> {
  const names = getAttributes(block);
  const removed = {
    [names.at]: undefined,
    [names.change]: undefined,
    [names.changedAt]: undefined,
  };
  const { done } = await transact([
    {
      update: {
        Key: toKey(block),
        ...toAssignment(removed, toLatestChangeCondition(block, change)),
      },
    },
    { remove: blockKey(block.blocker, { contactId: block.blocked, at }) },
  ]);
  if (done) await removeItem(toKey(block), isEmptyCondition);
  return done;
}
