import {
  AdminDeleteUserCommand,
  ListUsersCommand,
  paginateAdminListGroupsForUser,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { type PoolUser, toPoolUser } from './pool-user.ts';
import type { Pool } from './user-pool.ts';

type UserPool = Pick<Pool, 'client' | 'UserPoolId'>;

export async function findPoolAccount(
  { client, UserPoolId }: UserPool,
  contactId: string,
): Promise<PoolUser | undefined> {
  // Contact ids need no escaping, because they contain no quotation marks or backslashes.
  const Filter = `sub = "${contactId}"`;
  const { Users: [user] = [] } = await client.send(
    new ListUsersCommand({ UserPoolId, Filter, Limit: 1 }),
  );
  if (user?.Username === undefined) return undefined;
  const groups: string[] = [];
  const { Username } = user;
  for await (const { Groups = [] } of paginateAdminListGroupsForUser(
    { client },
    { UserPoolId, Username },
  )) {
    groups.push(...Groups.flatMap(({ GroupName }) => GroupName ?? []));
  }
  return toPoolUser(user, groups);
}

/**
 * Deletes the account with its attributes, group memberships and refresh tokens. Does nothing if
 * the account does not exist.
 */
export async function deletePoolAccount(
  { client, UserPoolId }: UserPool,
  Username: string,
): Promise<void> {
  try {
    await client.send(new AdminDeleteUserCommand({ UserPoolId, Username }));
  } catch (error) {
    if (!(error instanceof UserNotFoundException)) throw error;
  }
}
