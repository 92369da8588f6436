import * as v from 'valibot';
import { clock } from '../clock.ts';
import { lookUpItems, update } from './calls/access.ts';
import { groupHeadKey } from './keys/keys.ts';

/**
 * Upper bounds for a group's activity and feed. The bounds are in one item whose key is derived
 * from the group's id, so that one call reads the bounds of up to 100 groups. Writers raise a bound
 * before they write the value, so a bound may be too high but never too low.
 * - `active_until`: last activity in the group's conversations (milliseconds; 0 if none);
 * - `newest_chunk`: first sequence number of the newest chunk in the group's feed.
 */
const GroupHead = v.object({
  active_until: v.optional(v.number()),
  newest_chunk: v.optional(v.number()),
});
type Bound = keyof typeof GroupHead.entries;

/**
 * Maximum number of groups to query directly. Reading the heads first is faster only if there are
 * more groups.
 */
const maxGroupsWithoutHeads = 5;
export const readsHeads = (groups: readonly string[]) => groups.length > maxGroupsWithoutHeads;

export type DeriveBound = (group: string) => Promise<number | undefined>;

type GetBound = (group: string) => number | undefined;

/**
 * Returns the lookup from `readGroupBounds`. For up to five groups, makes no calls and returns a
 * lookup that always returns `undefined`.
 */
export const getGroupBounds = async (
  ...args: Parameters<typeof readGroupBounds>
): Promise<GetBound> => (readsHeads(args[0]) ? readGroupBounds(...args) : () => undefined);

/**
 * Reads groups' bounds, and returns a lookup function, which returns `undefined` for an unknown
 * bound. If `derive` is set, calls it for missing bounds, and stores its results (best effort).
 * Bounds may be about a second old.
 */
export async function readGroupBounds(
  groups: readonly string[],
  bound: Bound,
  derive?: DeriveBound,
): Promise<GetBound> {
  const findItem = await lookUpItems(groups.map(groupHeadKey), { consistent: false });
  const entries = groups.map(async (group) => {
    const item = findItem(groupHeadKey(group));
    const stored = item && v.parse(GroupHead, item)[bound];
    if (stored !== undefined || !derive) return [group, stored] as const;
    const derived = await derive(group);
    if (derived !== undefined) await raiseGroupBound(group, bound, derived).catch(() => undefined);
    return [group, derived] as const;
  });
  const bounds = new Map(await Promise.all(entries));
  return (group) => bounds.get(group);
}

/** Raises a bound to at least `value`. */
export async function raiseGroupBound(group: string, bound: Bound, value: number): Promise<void> {
  await update({
    Key: groupHeadKey(group),
    UpdateExpression: `SET ${bound} = :value`,
    ConditionExpression: `attribute_not_exists(${bound}) OR ${bound} < :value`,
    ExpressionAttributeValues: { ':value': value },
  });
}

/**
 * Milliseconds by which a raised `active_until` exceeds the time of the activity. Within this
 * period, further sends in the same conversation do not raise the bound.
 */
const announcedMilliseconds = 10 * 60 * 1000;

/**
 * Raises `active_until` to at least ten minutes after `time`. Returns the timestamp ten minutes
 * after `time`, in milliseconds since 1970.
 */
export async function announceActivity(group: string, time: number): Promise<number> {
  const until = time + announcedMilliseconds;
  await raiseGroupBound(group, 'active_until', until);
  return until;
}

/**
 * Announces the activity of a new conversation in a group. Returns attributes to store in the
 * conversation.
 */
export const announceCreation = async (group: string | null | undefined) =>
  group ? { active_until: await announceActivity(group, clock.now()) } : {};
