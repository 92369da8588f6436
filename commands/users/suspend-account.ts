import {
  AdminDisableUserCommand,
  AdminUserGlobalSignOutCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Pool } from './user-pool.ts';

/** Disables the account and revokes its refresh tokens. Idempotent. */
export async function suspendAccount(
  { client, UserPoolId }: Pick<Pool, 'client' | 'UserPoolId'>,
  Username: string,
): Promise<void> {
  await client.send(new AdminDisableUserCommand({ UserPoolId, Username }));
  await client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username }));
}
