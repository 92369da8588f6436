import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { RunningStage } from '../stage/running-stage.ts';

/** The user pool of a deployed stage, and the client that accesses it. */
export interface Pool {
  client: CognitoIdentityProviderClient;
  UserPoolId: string;
  /** Id of the app client for which Cognito issues tokens. */
  ClientId: string;
}

/**
 * Returns the user pool from the stack's outputs. Uses the credentials and region of the AWS CLI.
 */
export const openUserPool = ({ output }: RunningStage): Pool => ({
  client: new CognitoIdentityProviderClient(),
  UserPoolId: output('UserPoolId'),
  ClientId: output('UserPoolClientId'),
});
