import type { Stage } from './stages.ts';

/** Duration of a decision: an upper estimate that includes some cold starts. */
const decisionSeconds = 0.05;

/**
 * Returns the maximum concurrent decisions about listeners, enough for as many per second as the
 * API admits requests. Without it, connections with made-up tokens could use up the account's
 * concurrency. Undefined in stages without a firewall, because new accounts cannot reserve any.
 */
export const getReservedConcurrency = ({
  firewall,
  throttling,
}: Pick<Stage, 'firewall' | 'throttling'>): number | undefined =>
  firewall && Math.ceil(throttling.requestsPerSecond * decisionSeconds);
