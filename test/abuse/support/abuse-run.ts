import type { TokenClaims } from '../../../local-cloud/issuer.ts';
import type { Caller } from '../../../shared/caller.ts';
import type { Person } from '../../acceptance/support/api.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { SendCrashes } from './send-crashes.ts';

/**
 * A participant in a scenario. API requests use the token; calls of handlers in this process use
 * `caller`.
 */
export interface Participant extends Person {
  caller: Caller;
}

export interface AbuseRun {
  /** Creates a person with a new id, for use in one scenario. */
  createParticipant(name: string, claims?: TokenClaims): Promise<Participant>;
  /** Multiplies the count by ABUSE_SIZE (default: 1). Returns an integer of at least 1. */
  scale(count: number): number;
  crashes: SendCrashes;
  keys: IssuerKeys;
}
