/** Seconds after each failed attempt until the next one. The last delay repeats. */
const delays = [5, 300, 1800, 7200, 18_000, 36_000, 43_200] as const;
/** Maximum seconds from the first to the last attempt: three days. */
export const maxRetrySeconds = 3 * 86_400;
/** Maximum fraction by which each delay is randomly shortened or extended, to spread attempts. */
const jitter = 0.1;

export interface FailedAttempt {
  /** Number of attempts made, at least 1. */
  attempts: number;
  /** Start of the delivery and current time, in Unix seconds. */
  firstAt: number;
  now: number;
  /** `Retry-After` header of the reply: seconds or a date. */
  retryAfter?: string | undefined;
  /** Random number from 0 to 1. */
  random: number;
}

/**
 * Returns the time of the next attempt in Unix seconds; `undefined` if it would be more than three
 * days after the first. A longer `Retry-After` replaces the scheduled delay.
 */
export function getNextAttempt(failed: FailedAttempt): number | undefined {
  const { attempts, firstAt, now, retryAfter, random } = failed;
  const delay = delays[Math.min(attempts, delays.length) - 1] ?? delays[0];
  const scheduled = Math.round(delay * (1 - jitter + 2 * jitter * random));
  const next = now + Math.max(scheduled, parseRetryAfter(retryAfter, now));
  return next <= firstAt + maxRetrySeconds ? next : undefined;
}

/** Returns the seconds to wait, or 0 if the header is missing or malformed. */
function parseRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, Math.ceil(date / 1000) - now);
}
