import { evictOldest } from './evict-oldest.ts';

/**
 * Maximum number of stored versions, and of stored deletions. The limits bound memory, because
 * other users can cause any number of changes and deletions. After an eviction, an outdated event
 * may take effect for a short time.
 */
const maxVersions = 5000;
const maxDeletions = 1000;

/**
 * Records when resources changed, so that older data does not replace newer data. Events have
 * versions. Replies have no versions, so events that arrived during the request take precedence.
 */
export interface ChangeTracker {
  /** Returns the current tick, to pass to `hasChangedSince` after the reply. */
  getTick(): number;
  /** Starts a new tick, and returns it. */
  advanceTick(): number;
  /** Returns the version of the last event; 0 if there was none. */
  getVersion(id: string): number;
  /**
   * Records an event's version. If the version is not newer or the resource was deleted, returns
   * false and records nothing.
   */
  recordEvent(id: string, version: number): boolean;
  recordLocalChange(id: string): void;
  recordDeletion(id: string): void;
  isDeleted(id: string): boolean;
  /** Reports whether the resource has changed since the tick, or was deleted at any time. */
  hasChangedSince(id: string, tick: number): boolean;
}

/** Returns an empty tracker. */
export function createChangeTracker(): ChangeTracker {
  const versions = new Map<string, { version: number; tick: number }>();
  const deletedIds = new Set<string>();
  const clock = { tick: 0 };
  const record = (id: string, version: number) => {
    clock.tick += 1;
    versions.delete(id);
    versions.set(id, { version, tick: clock.tick });
    evictOldest(versions, maxVersions);
  };
  const getVersion = (id: string) => versions.get(id)?.version ?? 0;
  return {
    getTick: () => clock.tick,
    advanceTick: () => {
      clock.tick += 1;
      return clock.tick;
    },
    getVersion,
    recordEvent: (id, version) => {
      if (deletedIds.has(id) || getVersion(id) >= version) return false;
      record(id, version);
      return true;
    },
    recordLocalChange: (id) => record(id, getVersion(id)),
    recordDeletion: (id) => {
      clock.tick += 1;
      versions.delete(id);
      deletedIds.add(id);
      evictOldest(deletedIds, maxDeletions);
    },
    isDeleted: (id) => deletedIds.has(id),
    hasChangedSince: (id, tick) => deletedIds.has(id) || (versions.get(id)?.tick ?? 0) > tick,
  };
}
