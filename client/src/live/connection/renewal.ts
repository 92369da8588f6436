const second = 1000;
const minute = 60 * second;
/**
 * Lead time in milliseconds: the API returns an hour's channels this long before the hour begins.
 */
const nextHourLeadMs = 10 * minute;
/**
 * Average milliseconds between renewals. A renewal detects a lost push that no later push reveals.
 */
const renewIntervalMs = 15 * minute;
/** Milliseconds until a renewal if channels are missing, expire soon or have no known expiry. */
const minRenewDelayMs = 2 * minute;
/** Minimum milliseconds before the client requests refused channels again. */
const refusedRetryMs = 15 * second;

/**
 * Milliseconds to wait after a renewal before unsubscribing from superseded channels. By the end of
 * this wait, the hour of the superseded channels has ended.
 */
export const unsubscribeDelayMs = nextHourLeadMs + 2 * minute;

export interface RenewalInput {
  /** Milliseconds until the last channel expires. */
  expiresInMs: number;
  /** Whether the connection had room for all channels. */
  isComplete: boolean;
  isRefused: boolean;
  /** Returns a random number from 0 to 1. */
  random(): number;
}

/**
 * Returns the milliseconds until the next `GET /v1/live`, with jitter, so that clients do not all
 * renew at the same time.
 */
export function getRenewalDelay({
  expiresInMs,
  isComplete,
  isRefused,
  random,
}: RenewalInput): number {
  if (isRefused) return refusedRetryMs * (1 + random());
  const untilNextHour = expiresInMs - random() * nextHourLeadMs;
  const untilCheck = renewIntervalMs * (0.8 + 0.4 * random());
  if (!isComplete || !(untilNextHour > minRenewDelayMs / 4)) return minRenewDelayMs;
  return Math.min(untilNextHour, untilCheck);
}
