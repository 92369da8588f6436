import * as v from 'valibot';
import type { MessagePosition } from '../ids.ts';
import type { Item } from './access.ts';

/**
 * What one place of a log tells without its content. Times are in milliseconds. As each message knows when the place below
 * was given out, one place tells the times of two.
 */
const Place = v.object({
  sequence: v.number(),
  id: v.optional(v.string()),
  created_at: v.optional(v.number()),
  previous_at: v.number(),
  deleted_at: v.optional(v.number()),
});
export const placeAttributes = ['pk', ...Object.keys(Place.entries)];

export interface Told {
  /** Where the message at the place stands; undefined where there is none, and never will be. */
  message: MessagePosition | undefined;
  /** Where the place below stands, whatever is there. */
  below: MessagePosition;
}

/** Undefined for a place that tells nothing: it has no item, or a reader's marker, which knows no times. */
export function toldBy(conversationId: string, item: Item | undefined): Told | undefined {
  if (!item) return undefined;
  const { sequence, id, created_at, previous_at, deleted_at } = v.parse(Place, item);
  if (id === undefined && deleted_at === undefined) return undefined;
  return {
    message:
      id === undefined || created_at === undefined
        ? undefined
        : { conversationId, sequence, sentAt: created_at },
    below: { conversationId, sequence: sequence - 1, sentAt: previous_at },
  };
}
