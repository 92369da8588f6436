import {
  AdminAddUserToGroupCommand,
  AdminRemoveUserFromGroupCommand,
  CreateGroupCommand,
  GroupExistsException,
  ResourceNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Pool } from './user-pool.ts';

/** Adds the user to the group, and creates the group if it does not exist. */
export async function addToGroup(pool: Pool, Username: string, GroupName: string): Promise<void> {
  const { client, UserPoolId } = pool;
  const add = new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName });
  try {
    await client.send(add);
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    await createGroup(pool, GroupName);
    await client.send(add);
  }
}

/** Removes the user from the group. Does nothing if the group does not exist. */
export async function removeFromGroup(
  { client, UserPoolId }: Pool,
  Username: string,
  GroupName: string,
): Promise<void> {
  try {
    await client.send(new AdminRemoveUserFromGroupCommand({ UserPoolId, Username, GroupName }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

/** Creates the group. Does nothing if a concurrent command has just created the group. */
async function createGroup({ client, UserPoolId }: Pool, GroupName: string): Promise<void> {
  try {
    await client.send(new CreateGroupCommand({ UserPoolId, GroupName }));
  } catch (error) {
    if (!(error instanceof GroupExistsException)) throw error;
  }
}
