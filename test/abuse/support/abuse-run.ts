import type { TokenClaims } from '../../../local-cloud/issuer.ts';
import type { Caller } from '../../../shared/caller.ts';
import type { Person } from '../../acceptance/support/api.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { SendCrashes } from './send-crashes.ts';

/** Somebody who takes part in a story: calls over HTTP, and as a history needs it also in the test's own process. */
export interface Participant extends Person {
  caller: Caller;
}

/** What the stories have at hand. */
export interface AbuseRun {
  /** Somebody whom no other story knows. */
  createParticipant(name: string, claims?: TokenClaims): Promise<Participant>;
  /** As many as the story says, times the size of this run. */
  scale(count: number): number;
  crashes: SendCrashes;
  keys: IssuerKeys;
}
