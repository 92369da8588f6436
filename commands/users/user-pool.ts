import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { RunningStage } from '../stage/running-stage.ts';

/** The user pool of a deployed stage, as needed by every call. */
export interface Pool {
  client: CognitoIdentityProviderClient;
  UserPoolId: string;
  /** The app client that tokens are issued for. */
  ClientId: string;
}

/**
 * Returns the pool named in the stack's outputs. Uses the same credentials and region as the AWS
 * CLI.
 */
export const openUserPool = ({ output }: RunningStage): Pool => ({
  client: new CognitoIdentityProviderClient(),
  UserPoolId: output('UserPoolId'),
  ClientId: output('UserPoolClientId'),
});
