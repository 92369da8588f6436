import type { TokenClaims } from '../../../local-cloud/issuer.ts';
import type { Caller } from '../../../shared/caller.ts';
import type { Person } from '../../acceptance/support/api.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { SendCrashes } from './send-crashes.ts';

/** A scenario participant: calls over HTTP with the token, or in this process as `caller`. */
export interface Participant extends Person {
  caller: Caller;
}

/** Helpers shared by all scenarios. */
export interface AbuseRun {
  /** Creates a person used by one scenario only. */
  createParticipant(name: string, claims?: TokenClaims): Promise<Participant>;
  /** Scales a scenario's number to the size of this run. */
  scale(count: number): number;
  crashes: SendCrashes;
  keys: IssuerKeys;
}
