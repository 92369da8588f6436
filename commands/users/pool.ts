import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { RunningStage } from '../stage/stage.ts';

/** The user pool of a deployed stage, as all calls to it need it. */
export interface Pool {
  client: CognitoIdentityProviderClient;
  UserPoolId: string;
  /** The app client that tokens are for. */
  ClientId: string;
}

/** Found by the stack's outputs, and reached with the credentials and the region that the AWS CLI would use. */
export const poolOf = ({ output }: RunningStage): Pool => ({
  client: new CognitoIdentityProviderClient(),
  UserPoolId: output('UserPoolId'),
  ClientId: output('UserPoolClientId'),
});
