import { evictOldest } from './evict-oldest.ts';

/**
 * Maximum number of versions and deletions to remember. Other users decide how many changes there
 * are. A late event about an older one may show for a moment.
 */
const maxVersions = 5000;
const maxDeletions = 1000;

/**
 * Remembers when resources changed, so that nothing older replaces something newer. Events have
 * versions. Replies have none, and yield to events that arrived during the request.
 */
export interface ChangeTracker {
  /** Returns the current tick, to pass to `hasChangedSince` after the reply. */
  getTick(): number;
  /** Returns the version of the last event; 0 if there was none. */
  getVersion(id: string): number;
  /** Records an event's version; false if it is not newer. */
  recordEvent(id: string, version: number): boolean;
  /** Records a change made by this client. */
  recordLocalChange(id: string): void;
  recordDeletion(id: string): void;
  isDeleted(id: string): boolean;
  /** Reports whether the resource has changed since the tick. */
  hasChangedSince(id: string, tick: number): boolean;
}

/** Returns a tracker without changes. */
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
