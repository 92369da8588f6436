import type { ChangeTracker } from './change-tracker.ts';

const getLeavingId = (groupId: string) => `left ${groupId}`;

/** Records that the user is no longer a member of a group. */
export const recordLeaving = (changes: ChangeTracker, groupId: string): void =>
  changes.recordLocalChange(getLeavingId(groupId));

/**
 * Reports whether the user has left a group since the tick. If so, callers can ignore the group in
 * replies to earlier requests, because the lists are loaded again after the user leaves.
 */
export const hasLeftSince = (
  changes: ChangeTracker,
  groupId: string | null,
  tick: number,
): boolean => groupId !== null && changes.hasChangedSince(getLeavingId(groupId), tick);
