import * as v from 'valibot';
import { type Item, lookUpItems } from '../../calls/access.ts';
import { settingsKey } from '../../keys/keys.ts';
import { erasureAttribute } from '../../keys/names.ts';

/** One participant's settings for a conversation. The first change creates the item. */
export const Settings = v.object({
  is_pinned: v.optional(v.boolean()),
  is_muted: v.optional(v.boolean()),
  /** Unix seconds, as set by the participant. */
  archived_at: v.optional(v.number()),
  /** Number of changes to the three fields above. */
  version: v.optional(v.number()),
  /** Milliseconds. */
  last_opened_at: v.optional(v.number()),
  /** Number of recorded openings and of requests that marked messages as unread. */
  openings: v.optional(v.number()),
  /**
   * Read position: messages from other members with a higher sequence number are unread. Increases
   * when the participant reads messages, or when a count finds no unread messages up to a higher
   * sequence number. Decreases if the participant marks messages as unread.
   */
  read_place: v.optional(v.number()),
  /**
   * Highest `read_place` before the participant marked messages as unread. Other participants still
   * see this position.
   */
  max_read_sequence: v.optional(v.number()),
  /** Milliseconds. If set, the participant was erased, and the item has no other settings. */
  [erasureAttribute]: v.optional(v.number()),
});
export type Settings = v.InferOutput<typeof Settings>;

/** Returns a version that increases with each change visible to the participant. */
export const getOwnVersion = ({ version = 0, openings = 0 }: Settings): number =>
  version + openings;

/** Returns the read position that other participants see. */
export const getShownReadSequence = ({
  read_place = 0,
  max_read_sequence = 0,
}: Pick<Settings, 'read_place' | 'max_read_sequence'>): number =>
  Math.max(read_place, max_read_sequence);

export const parseSettings = (item: Item | undefined): Settings => v.parse(Settings, item ?? {});

export async function getSettings(
  contactId: string,
  conversationIds: string[],
): Promise<(conversationId: string) => Settings> {
  const toKey = (id: string) => settingsKey(id, contactId);
  const findItem = await lookUpItems(conversationIds.map(toKey), { consistent: false });
  return (id) => parseSettings(findItem(toKey(id)));
}
