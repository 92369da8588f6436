import { Problem } from '../../lib/problem.ts';
import { suspendLocalPerson } from '../../local-cloud/suspended-people.ts';
import type { RunningStage } from '../stage/running-stage.ts';
import { findStageAccount, getExternalIssuer } from './stage-account.ts';
import { suspendAccount } from './suspend-account.ts';

export interface Suspension {
  /** Name of the stage; undefined for the local cloud. */
  stage: string | undefined;
  /** Data folder of the local cloud. */
  data: string;
  contactId: string;
}

/**
 * Suspends a person at the identity provider. Returns a sentence that states when the suspension
 * takes effect. Throws a Problem if the stage has an external issuer or its pool lacks the account.
 */
export async function suspendPerson(
  running: RunningStage,
  { stage, data, contactId }: Suspension,
): Promise<string> {
  if (stage === undefined) {
    await suspendLocalPerson(data, contactId);
    return `${contactId} gets no new tokens. Earlier tokens work until they expire, by default after 12 hours.`;
  }
  const issuer = getExternalIssuer(stage);
  if (issuer !== undefined) {
    throw new Problem(`${stage} has an external issuer: suspend ${contactId} at ${issuer}.`);
  }
  const found = await findStageAccount(running, stage, contactId);
  if (!found) throw new Problem(`The user pool of ${stage} has no account ${contactId}.`);
  await suspendAccount(found.pool, found.account.username);
  return `Disabled the account ${found.account.username}. Its tokens expire within an hour.`;
}
