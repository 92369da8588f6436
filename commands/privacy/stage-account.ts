import { getStage } from '../../lib/stages.ts';
import type { RunningStage } from '../stage/stage.ts';
import type { Person } from '../users/people.ts';
import { type Pool, poolOf } from '../users/pool.ts';
import { accountOf } from './account.ts';

/**
 * Returns the person's account in the stage's user pool; undefined if there is no account or no
 * pool.
 */
export async function accountIn(
  running: RunningStage,
  stage: string | undefined,
  contactId: string,
): Promise<{ pool: Pool; account: Person } | undefined> {
  if (stage === undefined || getStage(stage).identity !== 'user-pool') return undefined;
  const pool = poolOf(running);
  const account = await accountOf(pool, contactId);
  return account && { pool, account };
}

/** Returns the external issuer of the stage's users, if it has no pool of its own. */
export const issuerOf = (stage: string | undefined): string | undefined => {
  const identity = stage === undefined ? undefined : getStage(stage).identity;
  return typeof identity === 'object' ? identity.issuer : undefined;
};
