/** So much is remembered. Others decide how much happens: what is older is forgotten, and what comes late of it may show for a moment. */
const maxVersions = 5000;
const maxDeletions = 1000;

/**
 * What is known of when things have changed, so that nothing older takes the place of something newer: events have versions;
 * what a request gives has none, and yields to events that were heard while it was under way.
 */
export interface ChangeTracker {
  /** The moment of now, to be given to `isOlder` once the reply is there. */
  getTick(): number;
  /** Notes what an event tells of a thing; false where that is known already. */
  recordEvent(id: string, version: number): boolean;
  /** Notes that something has changed by what is done from here. */
  recordLocalChange(id: string): void;
  /** Notes that something is deleted. */
  recordDeletion(id: string): void;
  isDeleted(id: string): boolean;
  /** Whether what a request gives that began at that moment is older than what is known. */
  hasChangedSince(id: string, moment: number): boolean;
}

export function createChangeTracker(): ChangeTracker {
  const versions = new Map<string, { version: number; tick: number }>();
  const deletedIds = new Set<string>();
  let moment = 0;
  const note = (id: string, version: number) => {
    moment += 1;
    versions.delete(id);
    versions.set(id, { version, tick: moment });
    evictOldest(versions, maxVersions);
  };
  return {
    getTick: () => moment,
    recordEvent: (id, version) => {
      if (deletedIds.has(id) || (versions.get(id)?.version ?? 0) >= version) return false;
      note(id, version);
      return true;
    },
    recordLocalChange: (id) => note(id, versions.get(id)?.version ?? 0),
    recordDeletion: (id) => {
      moment += 1;
      versions.delete(id);
      deletedIds.add(id);
      evictOldest(deletedIds, maxDeletions);
    },
    isDeleted: (id) => deletedIds.has(id),
    hasChangedSince: (id, since) => deletedIds.has(id) || (versions.get(id)?.tick ?? 0) > since,
  };
}

/** Takes away what was put in first. */
export function evictOldest(some: Map<string, unknown> | Set<string>, maxSize: number): void {
  for (const first of some.keys()) {
    if (some.size <= maxSize) return;
    some.delete(first);
  }
}
