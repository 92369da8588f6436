import {
  DeleteGroupCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { openLocalIssuer } from '../../local-cloud/issuer.ts';
import type { ApiUser } from '../api/call-operation.ts';
import { addToGroup } from './group-membership.ts';
import { deletePoolAccount } from './pool-account.ts';
import { signIn } from './sign-in.ts';
import { ensureTestUser } from './test-user.ts';
import type { Pool } from './user-pool.ts';

/** Groups of each test user, by the user's name. */
export type UserGroups = Readonly<Record<string, readonly string[]>>;

/** Returns users of the local cloud, which accepts any token of its issuer. */
export async function createLocalUsers(directory: string, users: UserGroups): Promise<ApiUser[]> {
  const { token } = await openLocalIssuer(directory);
  return Promise.all(
    Object.entries(users).map(async ([id, groups]) => ({
      id,
      token: await token(id, { username: id, groups: [...groups] }),
    })),
  );
}

/**
 * Signs in test users, after creating missing users and groups. Throws a Problem if a real account
 * has one of the names. Runs sequentially, because Cognito limits the request rate.
 */
export async function ensurePoolUsers(pool: Pool, users: UserGroups): Promise<ApiUser[]> {
  const ensured: ApiUser[] = [];
  for (const [name, groups] of Object.entries(users)) {
    const { contactId } = await ensureTestUser(pool, name, []);
    for (const group of groups) await addToGroup(pool, name, group);
    ensured.push({ id: contactId, token: await signIn(pool, name) });
  }
  return ensured;
}

/** Deletes the users and their groups. Ignores missing users and groups. */
export async function deletePoolUsers(pool: Pool, users: UserGroups): Promise<void> {
  for (const name of Object.keys(users)) await deletePoolAccount(pool, name);
  for (const GroupName of new Set(Object.values(users).flat())) {
    const command = new DeleteGroupCommand({ UserPoolId: pool.UserPoolId, GroupName });
    try {
      await pool.client.send(command);
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
    }
  }
}
