import {
  AdminDeleteUserCommand,
  ListUsersCommand,
  paginateAdminListGroupsForUser,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { type Person, personOf } from '../users/people.ts';
import type { Pool } from '../users/pool.ts';

type UserPool = Pick<Pool, 'client' | 'UserPoolId'>;

/**
 * The account whose contact id it is, with all that the pool knows; undefined where it has none.
 */
export async function accountOf(
  { client, UserPoolId }: UserPool,
  contactId: string,
): Promise<Person | undefined> {
  // No contact id has a quotation mark or a backslash in it.
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
  return personOf(user, groups);
}

/** With all attributes, groups and refresh tokens; that somebody else was quicker is as well. */
export async function removeAccount(
  { client, UserPoolId }: UserPool,
  Username: string,
): Promise<void> {
  try {
    await client.send(new AdminDeleteUserCommand({ UserPoolId, Username }));
  } catch (error) {
    if (!(error instanceof UserNotFoundException)) throw error;
  }
}
