import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { Problem } from '../../../lib/problem.ts';
import type { ApiUser } from '../../api/call-operation.ts';
import {
  createLocalUsers,
  deletePoolUsers,
  ensurePoolUsers,
  type UserGroups,
} from '../../users/test-users.ts';
import type { Pool } from '../../users/user-pool.ts';

export type UserName = 'ANN' | 'BOB' | 'CAROL';

export interface ScenarioUsers {
  all: Readonly<Record<UserName, ApiUser>>;
  /** Deletes the users; undefined for real accounts, whose data remains. */
  deleteUsers?: () => Promise<void>;
}

const names: readonly UserName[] = ['ANN', 'BOB', 'CAROL'];

/**
 * Returns the groups of three users. The names of users and groups are unique to this run. Ann
 * shares one group with Bob and another with Carol.
 */
function createUserGroups(): UserGroups {
  const run = `verify-${randomBytes(5).toString('hex')}`;
  return {
    [`${run}-ann`]: [`${run}-team`, `${run}-friends`],
    [`${run}-bob`]: [`${run}-team`],
    [`${run}-carol`]: [`${run}-friends`],
  };
}

export async function createLocalScenarioUsers(directory: string): Promise<ScenarioUsers> {
  const users = await createLocalUsers(directory, createUserGroups());
  return { all: nameUsers(users), deleteUsers: async () => {} };
}

/**
 * Creates the run's test users in a stage's user pool. If a step fails, deletes all of the run's
 * users and groups.
 */
export async function createPoolScenarioUsers(pool: Pool): Promise<ScenarioUsers> {
  const users = createUserGroups();
  const deleteUsers = () => deletePoolUsers(pool, users);
  try {
    return { all: nameUsers(await ensurePoolUsers(pool, users)), deleteUsers };
  } catch (error) {
    await deleteUsers();
    throw error;
  }
}

const TokenClaims = v.object({ sub: v.string() });

/**
 * Reads the users of an external issuer from the tokens in ANN, BOB and CAROL. Returns undefined if
 * no token is set. Throws a Problem if only some tokens are set, or if a token is not a JWT with a
 * `sub`.
 */
export async function readTokenUsers(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ScenarioUsers | undefined> {
  const missing = names.filter((name) => !environment[name]);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0)
    throw new Problem(`Missing tokens: ${missing.join(', ')}. Set all of ${names.join(', ')}.`);
  return { all: nameUsers(names.map((name) => readTokenUser(name, environment[name] ?? ''))) };
}

function readTokenUser(name: UserName, token: string): ApiUser {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), TokenClaims), claims);
  if (!parsed.success) throw new Problem(`${name} is not a valid token (a JWT with a sub).`);
  return { id: parsed.output.sub, token };
}

/** Expects `users` in the order Ann, Bob, Carol. */
function nameUsers(users: readonly ApiUser[]): ScenarioUsers['all'] {
  const [ANN, BOB, CAROL] = users;
  if (!ANN || !BOB || !CAROL) throw new Error('The scenarios need three users.');
  return { ANN, BOB, CAROL };
}
