import { getStage } from '../../lib/stages.ts';
import type { RunningStage } from '../stage/running-stage.ts';
import { findPoolAccount } from './pool-account.ts';
import type { PoolUser } from './pool-user.ts';
import { openUserPool, type Pool } from './user-pool.ts';

/**
 * Returns a contact's account and its user pool; undefined if the stage has no user pool, or if the
 * pool has no such account.
 */
export async function findStageAccount(
  running: RunningStage,
  stage: string | undefined,
  contactId: string,
): Promise<{ pool: Pool; account: PoolUser } | undefined> {
  if (stage === undefined || getStage(stage).identity !== 'user-pool') return undefined;
  const pool = openUserPool(running);
  const account = await findPoolAccount(pool, contactId);
  return account && { pool, account };
}

export const getExternalIssuer = (stage: string | undefined): string | undefined => {
  const identity = stage === undefined ? undefined : getStage(stage).identity;
  return typeof identity === 'object' ? identity.issuer : undefined;
};
