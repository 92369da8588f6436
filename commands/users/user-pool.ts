import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { RunningStage } from '../stage/running-stage.ts';

export interface Pool {
  client: CognitoIdentityProviderClient;
  UserPoolId: string;
  /** Id of the app client to which Cognito issues tokens. */
  ClientId: string;
}

/** Opens the user pool with the credentials and region of the AWS CLI. */
export const openUserPool = ({ output }: RunningStage): Pool => ({
  client: new CognitoIdentityProviderClient(),
  UserPoolId: output('UserPoolId'),
  ClientId: output('UserPoolClientId'),
});
