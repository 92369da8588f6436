import * as v from 'valibot';
import type { MessagePosition } from '../../../ids.ts';
import type { Item } from '../../calls/access.ts';
import { tableKey } from '../../keys/names.ts';
import { MessageTombstone } from '../log/message-item.ts';

const ProbedEntry = v.object({
  ...MessageTombstone.entries,
  created_at: v.optional(v.number()),
});
export const probeAttributes = [tableKey.partition, ...Object.keys(ProbedEntry.entries)];

export interface ProbeResult {
  /** Position of the message; `undefined` if the entry is a tombstone. */
  message: MessagePosition | undefined;
  below: MessagePosition;
  /** False if the time of `below` may be an upper bound, for example if the entry fills a gap. */
  isExact: boolean;
  tombstoneRange: { rangeStart: number | undefined; rangeEnd: number | undefined };
}

/**
 * Parses a probed item. Returns `undefined` if the item is missing, because its send may still be
 * in progress.
 */
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
