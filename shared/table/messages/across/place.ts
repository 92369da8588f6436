import * as v from 'valibot';
import type { MessagePosition } from '../../../ids.ts';
import type { Item } from '../../calls/access.ts';
import { tableKey } from '../../keys/names.ts';
import { Marker } from '../items.ts';

/**
 * What one place of a log tells without its content. Times are in milliseconds. As each message knows when the place below
 * was given out, one place tells the times of two.
 */
const Place = v.object({
  ...Marker.entries,
  /** Of a message only. */
  created_at: v.optional(v.number()),
});
export const placeAttributes = [tableKey.partition, ...Object.keys(Place.entries)];

export interface PlaceFacts {
  /** Where the message at the place stands; undefined where there is none, and never will be. */
  message: MessagePosition | undefined;
  /** Where the place below stands, whatever is there. */
  below: MessagePosition;
  /** Its time is exact; of a place that a reader has marked it is no earlier than it was. */
  exact: boolean;
  /** Where it has no message, what is noted of others: none of the places from here to there has one. */
  empty: { from: number | undefined; to: number | undefined };
}

/** Undefined for a place that has no item: it may be one of a send that is under way. */
export function factsOf(conversationId: string, item: Item | undefined): PlaceFacts | undefined {
  if (!item) return undefined;
  const { sequence, created_at, previous_at, deleted_at, empty_from, empty_to } = v.parse(
    Place,
    item,
  );
  const message =
    created_at === undefined ? undefined : { conversationId, sequence, sentAt: created_at };
  return {
    message,
    below: { conversationId, sequence: sequence - 1, sentAt: previous_at },
    exact: message !== undefined || deleted_at !== undefined,
    empty: { from: empty_from, to: empty_to },
  };
}
