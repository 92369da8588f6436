import { getStage } from '../../lib/stages.ts';
import type { ApiUser } from '../api/call-operation.ts';
import { findRunningStage, type RunningStage } from '../stage/running-stage.ts';
import { requireTokenStage } from '../users/require-token-stage.ts';
import { findTestUser } from '../users/test-user.ts';
import {
  createLocalUsers,
  deletePoolUsers,
  ensurePoolUsers,
  type UserGroups,
} from '../users/test-users.ts';
import { openUserPool, type Pool } from '../users/user-pool.ts';

export const seedGroup = 'seed';

/**
 * Maximum number of seeded users. To delete seeded data, the command looks up the accounts of this
 * many users.
 */
export const maxPeople = 50;

export interface SeedTarget {
  /** URL of the API, without a trailing slash. */
  url: string;
  running: RunningStage;
  /** Returns people 1 to `count`, and creates missing people. */
  signIn(count: number): Promise<ApiUser[]>;
  /** Returns all people who may have seeded data. */
  signInExisting(): Promise<ApiUser[]>;
  deleteAccounts(): Promise<void>;
}

interface SeedTargetOptions {
  /** Name of the stage; undefined for the local cloud. */
  stage: string | undefined;
  directory: string;
  /** Whether to allow a stage that retains its data. */
  yesProd: boolean;
}

/**
 * Returns the deployed stage or the local cloud. Throws a Problem if the target is not running, if
 * the stage has an external identity provider, or if the stage retains its data and `yesProd` is
 * false.
 */
export async function openSeedTarget(options: SeedTargetOptions): Promise<SeedTarget> {
  const { stage, directory, yesProd } = options;
  if (stage !== undefined) requireTokenStage({ stage, yesProd }, getStage(stage));
  const running = await findRunningStage(stage, directory);
  const url = running.output('ApiUrl').replace(/\/+$/, '');
  const people =
    stage === undefined ? openLocalPeople(directory) : openPoolPeople(openUserPool(running));
  return { url, running, ...people };
}

type People = Pick<SeedTarget, 'signIn' | 'signInExisting' | 'deleteAccounts'>;

const openLocalPeople = (directory: string): People => ({
  signIn: (count) => createLocalUsers(directory, toUserGroups(count)),
  signInExisting: () => createLocalUsers(directory, toUserGroups(maxPeople)),
  deleteAccounts: async () => {},
});

export const openPoolPeople = (pool: Pool): People => ({
  signIn: (count) => ensurePoolUsers(pool, toUserGroups(count)),
  signInExisting: async () => ensurePoolUsers(pool, await findUserGroups(pool)),
  deleteAccounts: async () => deletePoolUsers(pool, await findUserGroups(pool)),
});

/**
 * Returns the seeded people who exist in the user pool, with their groups. Throws a Problem if a
 * real account has a seeded person's name.
 */
async function findUserGroups(pool: Pool): Promise<UserGroups> {
  const found: Record<string, readonly string[]> = {};
  for (const [name, groups] of Object.entries(toUserGroups(maxPeople))) {
    if (await findTestUser(pool, name)) found[name] = groups;
  }
  return found;
}

const toUserGroups = (count: number): UserGroups =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`seed-${n + 1}`, [seedGroup]]));
