import { random } from '../../ids.ts';
import { compactRuns } from './compact-runs.ts';
import { openLog, readOn } from './read-log.ts';

/** Of so many deletions one looks around: so about as many markers lie beyond the known ends of a run. */
const deletionsALook = 16;

/**
 * Whoever empties a place sees to it, now and then, that the run of empty places around it is compacted: so it is those who
 * delete that pay for it, and not those who read. Never fails: what one leaves undone, another does.
 */
export async function lookAround(conversationId: string, sequence: number): Promise<void> {
  if (!random.oneIn(deletionsALook)) return;
  const look = async (direction: 'older' | 'newer') =>
    readOn(await openLog({ conversationId, direction, from: sequence, count: 1 }));
  try {
    const readings = await Promise.all([look('older'), look('newer')]);
    await compactRuns(
      conversationId,
      readings.flatMap(({ entries }) => entries),
    );
  } catch {
    // The place is empty all the same.
  }
}
