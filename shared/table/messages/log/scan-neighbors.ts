import { random } from '../../../ids.ts';
import { compactTombstoneRanges } from './compact-tombstone-ranges.ts';
import type { Direction } from './message-item.ts';
import { continueReading, openLog } from './read-log.ts';

/**
 * Average number of deletions per scan. On average, a range has at most this number of tombstones
 * outside its stored bounds.
 */
const deletionsPerScan = 16;

/**
 * Compacts the tombstones around the deleted message, so that reads rarely need to compact them.
 * On average, runs for one in 16 deletions. Never throws.
 */
export async function scanNeighbors(conversationId: string, sequence: number): Promise<void> {
  if (!random.oneIn(deletionsPerScan)) return;
  const scan = async (direction: Direction) =>
    continueReading(await openLog({ conversationId, direction, from: sequence, count: 1 }));
  try {
    const readings = await Promise.all([scan('older'), scan('newer')]);
    const read = readings.flatMap(({ entries }) => entries);
    await compactTombstoneRanges(conversationId, read);
  } catch {
    // Ignores the error: the message is already deleted.
  }
}
