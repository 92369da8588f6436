import { randomBytes } from 'node:crypto';
import {
  AdminDeleteUserCommand,
  DeleteGroupCommand,
  ResourceNotFoundException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { openLocalIssuer } from '../../local-cloud/issuer.ts';
import { join } from '../users/memberships.ts';
import type { Pool } from '../users/pool.ts';
import { signIn } from '../users/sign-in.ts';
import { testUser } from '../users/test-users.ts';

/** A test user of the scenarios. */
export interface Person {
  id: string;
  token: string;
}

export type PersonName = 'ANN' | 'BOB' | 'CAROL';

export interface People {
  all: Readonly<Record<PersonName, Person>>;
  /** Deletes the users; undefined for real accounts, whose data stays. */
  remove?: () => Promise<void>;
}

/** The users that the scenarios need: Ann shares a group with each of the others. */
const groupsOf: Readonly<Record<PersonName, readonly string[]>> = {
  ANN: ['team', 'friends'],
  BOB: ['team'],
  CAROL: ['friends'],
};
const names: readonly PersonName[] = ['ANN', 'BOB', 'CAROL'];

/** Names unique to this run. */
const newRun = () => `verify-${randomBytes(5).toString('hex')}`;

/** Returns users of the local cloud, which accepts any token of its issuer. */
export async function localPeople(directory: string): Promise<People> {
  const run = newRun();
  const { token } = await openLocalIssuer(directory);
  const person = async (name: PersonName): Promise<Person> => {
    const id = `${run}-${name.toLowerCase()}`;
    const groups = groupsOf[name].map((group) => `${run}-${group}`);
    return { id, token: await token(id, { username: id, groups }) };
  };
  return { all: await each(person), remove: async () => {} };
}

/** Creates test users in a stage's user pool, marked as such. */
export async function poolPeople(pool: Pool): Promise<People> {
  const run = newRun();
  const { client, UserPoolId } = pool;
  const userOf = (name: PersonName) => `${run}-${name.toLowerCase()}`;
  const remove = async () => {
    for (const name of names) {
      const command = new AdminDeleteUserCommand({ UserPoolId, Username: userOf(name) });
      await unlessDeleted(client.send(command));
    }
    for (const group of new Set(names.flatMap((name) => groupsOf[name]))) {
      const command = new DeleteGroupCommand({ UserPoolId, GroupName: `${run}-${group}` });
      await unlessDeleted(client.send(command));
    }
  };
  const person = async (name: PersonName): Promise<Person> => {
    const user = userOf(name);
    const { contactId } = await testUser(pool, user, []);
    for (const group of groupsOf[name]) await join(pool, user, `${run}-${group}`);
    return { id: contactId, token: await signIn(pool, user) };
  };
  try {
    return { all: await each(person), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function unlessDeleted(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    const gone =
      error instanceof UserNotFoundException || error instanceof ResourceNotFoundException;
    if (!gone) throw error;
  }
}

const Subject = v.object({ sub: v.string() });

/**
 * Returns the users of the tokens in the environment, for an external issuer; undefined if there
 * are none.
 */
export async function givenPeople(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<People | undefined> {
  const missing = names.filter((name) => !environment[name]);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0)
    throw new Problem(`One of the tokens ${names.join(', ')} is missing: set all of them.`);
  const person = async (name: PersonName): Promise<Person> => {
    const token = environment[name] ?? '';
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Subject), claims);
    if (!read.success) throw new Problem(`${name} is not a valid token (a JWT with a sub).`);
    return { id: read.output.sub, token };
  };
  return { all: await each(person) };
}

/**
 * Sequential, because Cognito limits the rate of these calls, and the first member creates each
 * group.
 */
async function each(make: (name: PersonName) => Promise<Person>): Promise<People['all']> {
  return { ANN: await make('ANN'), BOB: await make('BOB'), CAROL: await make('CAROL') };
}
