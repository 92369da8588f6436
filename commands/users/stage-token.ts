import {
  type AttributeType,
  CognitoIdentityProviderServiceException,
} from '@aws-sdk/client-cognito-identity-provider';
import { Problem } from '../../lib/problem.ts';
import { runningStage } from '../stage/stage.ts';
import { join, leave } from './memberships.ts';
import { poolOf } from './pool.ts';
import { signIn } from './sign-in.ts';
import { testUser } from './test-users.ts';
import type { StageRequest } from './token-request.ts';

/** What is asked for, and whose it is. */
export interface StageToken {
  contactId: string;
  /** Undefined when only the contact id is asked for. */
  token: string | undefined;
}

/** Makes the test user what the request says, and signs in as it. */
export async function stageToken(request: StageRequest): Promise<StageToken> {
  // A deployed stage has nothing in a folder here.
  const pool = poolOf(await runningStage(request.stage, ''));
  try {
    const { name, contactId } = await testUser(pool, request.user, attributesOf(request));
    for (const group of request.join) await join(pool, name, group);
    for (const group of request.leave) await leave(pool, name, group);
    return { contactId, token: request.onlyId ? undefined : await signIn(pool, name) };
  } catch (error) {
    if (error instanceof CognitoIdentityProviderServiceException) {
      throw new Problem(
        `Cognito refuses: ${error.message} (docs/identity.md says what the command needs.)`,
      );
    }
    throw error;
  }
}

/** As the ID token's claims are called; a username of one's own choice is `preferred_username` there. */
const attributesOf = ({ profile }: StageRequest): AttributeType[] => {
  const { username, ...others } = profile;
  return Object.entries({
    ...(username !== undefined && { preferred_username: username }),
    ...others,
  }).map(([Name, Value]) => ({ Name, Value }));
};
