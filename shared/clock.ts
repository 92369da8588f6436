/** The time by which the service decides and stores, so that tests can set it. Lines of the log have the machine's own. */
export const clock = {
  /** Milliseconds since 1970. */
  now: () => Date.now(),
  sleep: (milliseconds: number) =>
    new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
};

/** API times are whole seconds. */
export const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** A stored time that may be absent, as a reply shows it. */
export const toSecondsOrNull = (milliseconds: number | undefined) =>
  milliseconds === undefined ? null : toSeconds(milliseconds);

/**
 * Milliseconds after which whatever a request had under way is over: several times what a function that serves requests
 * may run, as clocks may differ. Holes in a log are decided by it, and a deleted conversation is purged only after it.
 */
export const maxRequestMilliseconds = 60_000;
