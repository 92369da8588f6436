const second = 1000;
const minute = 60 * second;
/** The API returns the channels of the next hour from this time before its start. */
const nextHourLeadMs = 10 * minute;
/** Maximum time until a lost last push is noticed, which no gap shows. */
const renewIntervalMs = 15 * minute;
/** Minimum time between two renewals. */
const minRenewDelayMs = 2 * minute;
/** Minimum time until refused channels are requested again. */
const refusedRetryMs = 15 * second;

/** After this time a superseded channel's hour has ended. */
export const unsubscribeDelayMs = nextHourLeadMs + 2 * minute;

export interface RenewalInput {
  /** Milliseconds until the last channel ends. */
  expiresInMs: number;
  /** Whether all channels found room on the connection. */
  isComplete: boolean;
  /** Whether the push service refused a channel. */
  isRefused: boolean;
  /** Returns a random number from 0 to 1. */
  random(): number;
}

/**
 * Returns the milliseconds until the next `GET /v1/live`, at a random time, so that clients do not
 * renew at the same moment.
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
