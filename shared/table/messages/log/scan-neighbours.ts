import { random } from '../../../ids.ts';
import { compactTombstoneRanges } from './compact-tombstone-ranges.ts';
import { continueReading, openLog } from './read-log.ts';

/** Of so many deletions one looks around: so about as many markers lie beyond the known ends of a run. */
const deletionsPerScan = 16;

/**
 * Whoever empties a place sees to it, now and then, that the run of empty places around it is compacted: so it is those who
 * delete that pay for it, and not those who read. Never fails: what one leaves undone, another does.
 */
export async function scanNeighbours(conversationId: string, sequence: number): Promise<void> {
  if (!random.oneIn(deletionsPerScan)) return;
  const scan = async (direction: 'older' | 'newer') =>
    continueReading(await openLog({ conversationId, direction, from: sequence, count: 1 }));
  try {
    const readings = await Promise.all([scan('older'), scan('newer')]);
    await compactTombstoneRanges(
      conversationId,
      readings.flatMap(({ entries }) => entries),
    );
  } catch {
    // The place is empty all the same.
  }
}
