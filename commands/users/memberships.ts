import {
  AdminAddUserToGroupCommand,
  AdminRemoveUserFromGroupCommand,
  CreateGroupCommand,
  GroupExistsException,
  ResourceNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Pool } from './pool.ts';

/** Puts the user into the group, which is made when there is none. */
export async function join(pool: Pool, Username: string, GroupName: string): Promise<void> {
  const { client, UserPoolId } = pool;
  const add = new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName });
  try {
    await client.send(add);
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    await makeGroup(pool, GroupName);
    await client.send(add);
  }
}

/** Takes the user out of the group; out of a group that is not there everybody is already. */
export async function leave(
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

/** That another command has made it meanwhile is as well. */
async function makeGroup({ client, UserPoolId }: Pool, GroupName: string): Promise<void> {
  try {
    await client.send(new CreateGroupCommand({ UserPoolId, GroupName }));
  } catch (error) {
    if (!(error instanceof GroupExistsException)) throw error;
  }
}
