import type { Stage } from './stages.ts';

/** High estimate of the channel authorizer's average time per decision, in seconds. */
const decisionSeconds = 0.05;

/**
 * Maximum concurrent executions of the thumbnail worker. Further images wait, so that uploads do
 * not use up the concurrency for requests.
 */
const maxThumbnails = 10;

/** Concurrent executions that a stage reserves; undefined for a function without reservation. */
export interface ReservedConcurrency {
  /**
   * Maximum concurrent executions of the channel authorizer, so that connections with made-up
   * tokens do not use up the account's concurrency. Suffices for `requestsPerSecond` decisions per
   * second.
   */
  listeners: number | undefined;
  thumbnails: number | undefined;
}

/**
 * Returns the number of concurrent executions that a stage reserves. A stage without a firewall has
 * no reservations, so that it also fits into a new account, which does not allow reservations.
 */
export const getReservedConcurrency = ({
  firewall,
  throttling,
  events,
  attachments,
}: Pick<Stage, 'firewall' | 'throttling' | 'events' | 'attachments'>): ReservedConcurrency => ({
  listeners:
    firewall && events !== false
      ? Math.ceil(throttling.requestsPerSecond * decisionSeconds)
      : undefined,
  thumbnails: firewall && attachments !== false ? maxThumbnails : undefined,
});
