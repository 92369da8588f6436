import { randomBytes } from 'node:crypto';
import {
  AdminDeleteUserCommand,
  DeleteGroupCommand,
  ResourceNotFoundException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { localIssuer } from '../../local-cloud/issuer.ts';
import { join } from '../users/memberships.ts';
import type { Pool } from '../users/pool.ts';
import { signIn } from '../users/sign-in.ts';
import { testUser } from '../users/test-users.ts';

/** Somebody whom the stories are about. */
export interface Person {
  id: string;
  token: string;
}

export type PersonName = 'ANN' | 'BOB' | 'CAROL';

export interface People {
  all: Readonly<Record<PersonName, Person>>;
  /**
   * Takes the users away again; undefined when they are somebody's, with whatever else is theirs.
   */
  remove?: () => Promise<void>;
}

/** As the stories need them: Ann shares a group with each of the others. */
const groupsOf: Readonly<Record<PersonName, readonly string[]>> = {
  ANN: ['team', 'friends'],
  BOB: ['team'],
  CAROL: ['friends'],
};
const names: readonly PersonName[] = ['ANN', 'BOB', 'CAROL'];

/** No other run has the same people, and nobody else has. */
const newRun = () => `verify-${randomBytes(5).toString('hex')}`;

/** People of the local cloud, which takes whoever has its issuer's token. */
export async function localPeople(directory: string): Promise<People> {
  const run = newRun();
  const { token } = await localIssuer(directory);
  const person = async (name: PersonName): Promise<Person> => {
    const id = `${run}-${name.toLowerCase()}`;
    const groups = groupsOf[name].map((group) => `${run}-${group}`);
    return { id, token: await token(id, { username: id, groups }) };
  };
  return { all: await each(person), remove: async () => {} };
}

/** Test users of a stage's user pool, made for this and marked as such. */
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
 * People whose tokens are in the environment, as of an issuer of one's own; undefined when they are
 * not.
 */
export async function givenPeople(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<People | undefined> {
  const missing = names.filter((name) => !environment[name]);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) throw new Problem(`Of the tokens ${names.join(', ')} one is missing.`);
  const person = async (name: PersonName): Promise<Person> => {
    const token = environment[name] ?? '';
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Subject), claims);
    if (!read.success) throw new Problem(`${name} is no token (a JWT with a sub).`);
    return { id: read.output.sub, token };
  };
  return { all: await each(person) };
}

/**
 * One after the other: Cognito takes few such calls at once, and the groups are made by the first
 * who joins.
 */
async function each(make: (name: PersonName) => Promise<Person>): Promise<People['all']> {
  return { ANN: await make('ANN'), BOB: await make('BOB'), CAROL: await make('CAROL') };
}
