import { randomBytes } from 'node:crypto';
import {
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  NotAuthorizedException,
} from '@aws-sdk/client-cognito-identity-provider';
import { Problem } from '../../lib/problem.ts';
import type { Pool } from './user-pool.ts';

const maxAttempts = 3;

/**
 * Sets a new random password, which is not stored, and returns an ID token of the user. Retries up
 * to twice if a concurrent command has changed the password. Throws a Problem if the sign-in
 * requires more than a password.
 */
export async function signIn(pool: Pool, name: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await signInOnce(pool, name);
    } catch (error) {
      if (!(error instanceof NotAuthorizedException) || attempt === maxAttempts) throw error;
    }
  }
}

async function signInOnce({ client, UserPoolId, ClientId }: Pool, Username: string) {
  const Password = createPassword();
  await client.send(
    new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: true }),
  );
  const { AuthenticationResult, ChallengeName } = await client.send(
    new AdminInitiateAuthCommand({
      UserPoolId,
      ClientId,
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: Username, PASSWORD: Password },
    }),
  );
  const token = AuthenticationResult?.IdToken;
  if (token) return token;
  throw new Problem(
    `Signing in as ${Username} requires more than a password (${ChallengeName}): delete the user or choose another name.`,
  );
}

/** Returns a random password. The suffix satisfies the pool's password policy. */
const createPassword = () => `${randomBytes(32).toString('base64url')}aA1!`;
