import { randomBytes } from 'node:crypto';
import {
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  NotAuthorizedException,
} from '@aws-sdk/client-cognito-identity-provider';
import { Problem } from '../../lib/problem.ts';
import type { Pool } from './pool.ts';

const attempts = 3;

/**
 * The ID token of a user, who gets a new password that nobody knows after this: there is none to store or to lose. When
 * two commands do so at once, the earlier one's password is wrong by the time it signs in; it then takes another.
 */
export async function signIn(pool: Pool, name: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await signInOnce(pool, name);
    } catch (error) {
      if (!(error instanceof NotAuthorizedException) || attempt === attempts) throw error;
    }
  }
}

async function signInOnce({ client, UserPoolId, ClientId }: Pool, Username: string) {
  const Password = newPassword();
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
    `${Username} is asked for more than a password (${ChallengeName}): delete the user, or take another name.`,
  );
}

/** Its end has what the pool's policy wants of every password. */
const newPassword = () => `${randomBytes(32).toString('base64url')}aA1!`;
