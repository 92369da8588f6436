import {
  AdminDisableUserCommand,
  AdminUserGlobalSignOutCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Pool } from './user-pool.ts';

/**
 * Disables the account, so that it cannot sign in, and revokes its refresh tokens. Can be repeated.
 */
export async function suspendAccount(
  { client, UserPoolId }: Pick<Pool, 'client' | 'UserPoolId'>,
  Username: string,
): Promise<void> {
  await client.send(new AdminDisableUserCommand({ UserPoolId, Username }));
  await client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username }));
}
