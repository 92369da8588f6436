import type { Stage } from './stages.ts';

/** Duration of a decision: an upper estimate that includes some cold starts. */
const decisionSeconds = 0.05;

/** Further images wait, so that a burst of uploads does not use up the requests' concurrency. */
const maxThumbnails = 10;

/** Concurrent executions that a stage reserves; undefined for a function without reservation. */
export interface ReservedConcurrency {
  /**
   * Maximum concurrent decisions about listeners, enough for as many per second as the API admits
   * requests. Without it, connections with made-up tokens could use up the account's concurrency.
   */
  listeners: number | undefined;
  thumbnails: number | undefined;
}

/**
 * Returns the concurrent executions that a stage reserves: none without a firewall, because new
 * accounts cannot reserve any.
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
