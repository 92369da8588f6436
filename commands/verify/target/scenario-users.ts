import { randomBytes } from 'node:crypto';
import {
  AdminDeleteUserCommand,
  DeleteGroupCommand,
  ResourceNotFoundException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import * as v from 'valibot';
import { Problem } from '../../../lib/problem.ts';
import { openLocalIssuer } from '../../../local-cloud/issuer.ts';
import { addToGroup } from '../../users/group-membership.ts';
import { signIn } from '../../users/sign-in.ts';
import { ensureTestUser } from '../../users/test-user.ts';
import type { Pool } from '../../users/user-pool.ts';

/** A test user of the scenarios. */
export interface ScenarioUser {
  id: string;
  token: string;
}

export type UserName = 'ANN' | 'BOB' | 'CAROL';

export interface ScenarioUsers {
  all: Readonly<Record<UserName, ScenarioUser>>;
  /** Deletes the users; undefined for real accounts, whose data stays. */
  deleteUsers?: () => Promise<void>;
}

/** The users that the scenarios need: Ann shares a group with each of the others. */
const groupsByUser: Readonly<Record<UserName, readonly string[]>> = {
  ANN: ['team', 'friends'],
  BOB: ['team'],
  CAROL: ['friends'],
};
const names: readonly UserName[] = ['ANN', 'BOB', 'CAROL'];

/** Names unique to this run. */
const createRunId = () => `verify-${randomBytes(5).toString('hex')}`;

/** Returns users of the local cloud, which accepts any token of its issuer. */
export async function createLocalUsers(directory: string): Promise<ScenarioUsers> {
  const run = createRunId();
  const { token } = await openLocalIssuer(directory);
  const createUser = async (name: UserName): Promise<ScenarioUser> => {
    const id = `${run}-${name.toLowerCase()}`;
    const groups = groupsByUser[name].map((group) => `${run}-${group}`);
    return { id, token: await token(id, { username: id, groups }) };
  };
  return { all: await createEach(createUser), deleteUsers: async () => {} };
}

/** Creates test users in a stage's user pool, marked as such. */
export async function createPoolUsers(pool: Pool): Promise<ScenarioUsers> {
  const run = createRunId();
  const { client, UserPoolId } = pool;
  const toUsername = (name: UserName) => `${run}-${name.toLowerCase()}`;
  const remove = async () => {
    for (const name of names) {
      const command = new AdminDeleteUserCommand({ UserPoolId, Username: toUsername(name) });
      await ignoreMissing(client.send(command));
    }
    for (const group of new Set(names.flatMap((name) => groupsByUser[name]))) {
      const command = new DeleteGroupCommand({ UserPoolId, GroupName: `${run}-${group}` });
      await ignoreMissing(client.send(command));
    }
  };
  const createUser = async (name: UserName): Promise<ScenarioUser> => {
    const user = toUsername(name);
    const { contactId } = await ensureTestUser(pool, user, []);
    for (const group of groupsByUser[name]) await addToGroup(pool, user, `${run}-${group}`);
    return { id: contactId, token: await signIn(pool, user) };
  };
  try {
    return { all: await createEach(createUser), deleteUsers: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function ignoreMissing(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    const isMissing =
      error instanceof UserNotFoundException || error instanceof ResourceNotFoundException;
    if (!isMissing) throw error;
  }
}

const TokenClaims = v.object({ sub: v.string() });

/**
 * Returns the users of the tokens in the environment, for an external issuer; undefined if there
 * are none.
 */
export async function readTokenUsers(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ScenarioUsers | undefined> {
  const missing = names.filter((name) => !environment[name]);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0)
    throw new Problem(`One of the tokens ${names.join(', ')} is missing: set all of them.`);
  const createUser = async (name: UserName): Promise<ScenarioUser> => {
    const token = environment[name] ?? '';
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), TokenClaims), claims);
    if (!parsed.success) throw new Problem(`${name} is not a valid token (a JWT with a sub).`);
    return { id: parsed.output.sub, token };
  };
  return { all: await createEach(createUser) };
}

/**
 * Sequential, because Cognito limits the rate of these calls, and the first member creates each
 * group.
 */
async function createEach(
  createUser: (name: UserName) => Promise<ScenarioUser>,
): Promise<ScenarioUsers['all']> {
  return {
    ANN: await createUser('ANN'),
    BOB: await createUser('BOB'),
    CAROL: await createUser('CAROL'),
  };
}
