import * as v from 'valibot';
import { clock } from '../../clock.ts';
import { getItems, type Item, update } from '../calls/access.ts';
import { assigning } from '../calls/expressions.ts';
import { type Key, settingsKey } from '../keys/keys.ts';

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
  /**
   * The highest place of the log that a list has given the participant, or one above it with nothing between that is of
   * others, or ever will be: what is above it is unread. Never goes back.
   */
  read_place: v.optional(v.number()),
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

/** What an opening has given the participant. */
export interface Opening {
  /** The highest place given; undefined where it gave no message. */
  place: number | undefined;
  /** Something of it was new to everybody. */
  news: boolean;
}

/**
 * Notes that the participant has opened the conversation, and up to where: at once when something is new since the last
 * time, and otherwise at most once a minute. The time is not before the last message, whatever this environment's clock
 * says. Gives the settings as they then are.
 */
export async function noteOpening(
  { conversation, settings }: { conversation: Activity; settings: Settings },
  contactId: string,
  { place = 0, news }: Opening,
): Promise<Settings> {
  const { id, last_message_at = 0 } = conversation;
  const { last_opened_at, read_place = 0 } = settings;
  const now = clock.now();
  const isNews = news || place > read_place || last_message_at > (last_opened_at ?? 0);
  if (!isNews && last_opened_at !== undefined && now - last_opened_at < openingCountsFor)
    return settings;
  const opened = {
    last_opened_at: Math.max(now, last_message_at),
    ...(place > read_place && { read_place: place }),
  };
  await write(settingsKey(id, contactId), opened);
  return { ...settings, ...opened };
}

interface Activity {
  id: string;
  last_message_at?: number | undefined;
}

const isFarther = {
  ConditionExpression: 'attribute_not_exists(read_place) OR read_place < :read_place',
};

/** Notes that nothing up to the place is unread to the participant, unless that is known of a higher one. */
export const noteNothingUnread = (conversationId: string, contactId: string, read_place: number) =>
  update({ Key: settingsKey(conversationId, contactId), ...assigning({ read_place }, isFarther) });

/** Another device may have been given more meanwhile: then only the time is written. */
async function write(
  Key: Key,
  { last_opened_at, read_place }: { last_opened_at: number; read_place?: number },
): Promise<void> {
  if (read_place !== undefined) {
    const { done } = await update({
      Key,
      ...assigning({ last_opened_at, read_place }, isFarther),
    });
    if (done) return;
  }
  await update({
    Key,
    UpdateExpression: 'SET last_opened_at = :now',
    ExpressionAttributeValues: { ':now': last_opened_at },
  });
}
