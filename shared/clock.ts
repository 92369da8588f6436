/** Clock for decisions and stored timestamps. Tests replace it. Log lines use the system clock. */
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
 * Milliseconds after which every request has ended. Gaps older than this duration count as crashed
 * sends, and purges wait this long for requests in progress.
 */
export const maxRequestMilliseconds = 60_000;
