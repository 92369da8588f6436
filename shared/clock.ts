/** Clock for decisions and stored times, replaceable in tests. Log lines use system time. */
export const clock = {
  /** Milliseconds since 1970. */
  now: () => Date.now(),
  sleep: (milliseconds: number) =>
    new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
};

export const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

export const toSecondsOrNull = (milliseconds: number | undefined) =>
  milliseconds === undefined ? null : toSeconds(milliseconds);

/**
 * Milliseconds after which every request has ended: gaps count as crashed sends, and purges may
 * start.
 */
export const maxRequestMilliseconds = 60_000;
