import {
  type AttributeType,
  CognitoIdentityProviderServiceException,
} from '@aws-sdk/client-cognito-identity-provider';
import { Problem } from '../../lib/problem.ts';
import { findRunningStage } from '../stage/running-stage.ts';
import { addToGroup, removeFromGroup } from './group-membership.ts';
import { signIn } from './sign-in.ts';
import { ensureTestUser } from './test-user.ts';
import type { StageRequest } from './token-request.ts';
import { openUserPool } from './user-pool.ts';

/** A test user's contact id and token. The token is undefined if only the id was requested. */
export interface StageToken {
  contactId: string;
  token: string | undefined;
}

/**
 * Creates or updates the test user, and signs in unless only the contact id was requested. Throws a
 * Problem if Cognito refuses a request.
 */
export async function createStageToken(request: StageRequest): Promise<StageToken> {
  // A deployed stage has no local folder.
  const pool = openUserPool(await findRunningStage(request.stage, ''));
  try {
    const { name, contactId } = await ensureTestUser(pool, request.user, toAttributes(request));
    for (const group of request.join) await addToGroup(pool, name, group);
    for (const group of request.leave) await removeFromGroup(pool, name, group);
    return { contactId, token: request.onlyId ? undefined : await signIn(pool, name) };
  } catch (error) {
    if (error instanceof CognitoIdentityProviderServiceException) {
      throw new Problem(
        `Cognito refused the request: ${error.message} (docs/deploy.md lists the permissions that the command needs).`,
      );
    }
    throw error;
  }
}

/** Returns the profile as Cognito attributes, which have the names of ID token claims. */
const toAttributes = ({ profile }: StageRequest): AttributeType[] => {
  const { username, ...others } = profile;
  return Object.entries({
    ...(username !== undefined && { preferred_username: username }),
    ...others,
  }).map(([Name, Value]) => ({ Name, Value }));
};
