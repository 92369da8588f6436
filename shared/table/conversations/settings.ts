import * as v from 'valibot';
import { clock } from '../../clock.ts';
import { noteLostMark } from '../../log/invocation.ts';
import { getItems, type Item, update } from '../calls/access.ts';
import { settingsKey } from '../keys/keys.ts';

/** One participant's own view of a conversation; there is no item until something is set. */
export const Settings = v.object({
  is_pinned: v.optional(v.boolean()),
  is_muted: v.optional(v.boolean()),
  /** Seconds, as the participant gave it. */
  archived_at: v.optional(v.number()),
  /** Counts the changes of the three above. */
  version: v.optional(v.number()),
  /** Milliseconds. */
  last_opened_at: v.optional(v.number()),
});
export type Settings = v.InferOutput<typeof Settings>;

export const settingsFrom = (item: Item | undefined): Settings => v.parse(Settings, item ?? {});

/** The contact's settings of several conversations, as they were a moment ago. */
export async function getSettings(
  contactId: string,
  conversationIds: string[],
): Promise<(conversationId: string) => Settings> {
  const keyOf = (id: string) => settingsKey(id, contactId);
  const items = await getItems(conversationIds.map(keyOf), { consistent: false });
  const byPartition = new Map(items.map((item) => [item.pk, v.parse(Settings, item)]));
  return (id) => byPartition.get(keyOf(id).pk) ?? {};
}

const openingCountsFor = 60_000;

/**
 * Notes that the participant has opened the conversation: at most once a minute while nothing in it is new. Where that
 * cannot be written, the next opening is noted.
 */
export async function noteOpening(
  conversationId: string,
  contactId: string,
  { last_opened_at }: Settings,
  somethingNew: boolean,
): Promise<void> {
  const now = clock.now();
  if (!somethingNew && last_opened_at !== undefined && now - last_opened_at < openingCountsFor)
    return;
  await update({
    Key: settingsKey(conversationId, contactId),
    UpdateExpression: 'SET last_opened_at = :now',
    ExpressionAttributeValues: { ':now': now },
  }).catch(noteLostMark);
}
