/** So much is remembered. Others decide how much happens: what is older is forgotten, and what comes late of it may show for a moment. */
const mostLearnt = 5000;
const mostGone = 1000;

/**
 * What is known of when things have changed, so that nothing older takes the place of something newer: events have versions;
 * what a request gives has none, and yields to events that were heard while it was under way.
 */
export interface Knowledge {
  /** The moment of now, to be given to `isOlder` once the reply is there. */
  now(): number;
  /** Notes what an event tells of a thing; false where that is known already. */
  learn(id: string, version: number): boolean;
  /** Notes that something has changed by what is done from here. */
  touch(id: string): void;
  /** Notes that something is deleted. */
  lose(id: string): void;
  isGone(id: string): boolean;
  /** Whether what a request gives that began at that moment is older than what is known. */
  isOlder(id: string, moment: number): boolean;
}

export function knowledge(): Knowledge {
  const learnt = new Map<string, { version: number; moment: number }>();
  const gone = new Set<string>();
  let moment = 0;
  const note = (id: string, version: number) => {
    moment += 1;
    learnt.delete(id);
    learnt.set(id, { version, moment });
    shorten(learnt, mostLearnt);
  };
  return {
    now: () => moment,
    learn: (id, version) => {
      if (gone.has(id) || (learnt.get(id)?.version ?? 0) >= version) return false;
      note(id, version);
      return true;
    },
    touch: (id) => note(id, learnt.get(id)?.version ?? 0),
    lose: (id) => {
      moment += 1;
      learnt.delete(id);
      gone.add(id);
      shorten(gone, mostGone);
    },
    isGone: (id) => gone.has(id),
    isOlder: (id, since) => gone.has(id) || (learnt.get(id)?.moment ?? 0) > since,
  };
}

/** Takes away what was put in first. */
export function shorten(some: Map<string, unknown> | Set<string>, most: number): void {
  for (const first of some.keys()) {
    if (some.size <= most) return;
    some.delete(first);
  }
}
