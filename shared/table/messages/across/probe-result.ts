import * as v from 'valibot';
import type { MessagePosition } from '../../../ids.ts';
import type { Item } from '../../calls/access.ts';
import { tableKey } from '../../keys/names.ts';
import { MessageTombstone } from '../log/message-item.ts';

/**
 * What one place of a log tells without its content. Times are in milliseconds. As each message knows when the place below
 * was given out, one place tells the times of two.
 */
const ProbedEntry = v.object({
  ...MessageTombstone.entries,
  /** Of a message only. */
  created_at: v.optional(v.number()),
});
export const probeAttributes = [tableKey.partition, ...Object.keys(ProbedEntry.entries)];

export interface ProbeResult {
  /** Where the message at the place stands; undefined where there is none, and never will be. */
  message: MessagePosition | undefined;
  /** Where the place below stands, whatever is there. */
  below: MessagePosition;
  /** Its time is exact; of a place that a reader has marked it is no earlier than it was. */
  isExact: boolean;
  /** Where it has no message, what is noted of others: none of the places from here to there has one. */
  tombstoneRange: { rangeStart: number | undefined; rangeEnd: number | undefined };
}

/** Undefined for a place that has no item: it may be one of a send that is under way. */
export function toProbeResult(
  conversationId: string,
  item: Item | undefined,
): ProbeResult | undefined {
  if (!item) return undefined;
  const { sequence, created_at, previous_at, deleted_at, empty_from, empty_to } = v.parse(
    ProbedEntry,
    item,
  );
  const message =
    created_at === undefined ? undefined : { conversationId, sequence, sentAt: created_at };
  return {
    message,
    below: { conversationId, sequence: sequence - 1, sentAt: previous_at },
    isExact: message !== undefined || deleted_at !== undefined,
    tombstoneRange: { rangeStart: empty_from, rangeEnd: empty_to },
  };
}
