import * as v from 'valibot';
import { getItems, type Item } from '../../calls/access.ts';
import { settingsKey } from '../../keys/keys.ts';

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
  /** Counts how often that was set. */
  openings: v.optional(v.number()),
  /**
   * The highest place of the log that a list has given the participant, or one above it with nothing between that is of
   * others, or ever will be: what is above it is unread. Never goes back.
   */
  read_place: v.optional(v.number()),
});
export type Settings = v.InferOutput<typeof Settings>;

/** What grows with each change that the participant sees. */
export const getOwnVersion = ({ version = 0, openings = 0 }: Settings): number =>
  version + openings;

export const parseSettings = (item: Item | undefined): Settings => v.parse(Settings, item ?? {});

/** The contact's settings of several conversations, as they were a moment ago. */
export async function getSettings(
  contactId: string,
  conversationIds: string[],
): Promise<(conversationId: string) => Settings> {
  const toKey = (id: string) => settingsKey(id, contactId);
  const items = await getItems(conversationIds.map(toKey), { consistent: false });
  const byPartition = new Map(items.map((item) => [item.pk, v.parse(Settings, item)]));
  return (id) => byPartition.get(toKey(id).pk) ?? {};
}
