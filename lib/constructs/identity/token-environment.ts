import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';
import { MessagingUserPool } from './user-pool.ts';

/** Environment variables of functions that accept tokens. */
export type TokenEnvironment = Record<'TOKEN_ISSUER' | 'TOKEN_AUDIENCE' | 'TOKEN_KEYS_URL', string>;

/**
 * Returns the issuer and audience of accepted tokens, and the URL of the issuer's keys. If the
 * stage uses a user pool, creates the pool and its outputs.
 */
export function createTokenEnvironment(scope: Construct, stage: Stage): TokenEnvironment {
  const { identity } = stage;
  if (identity !== 'user-pool') return variables(identity);
  const pool = new MessagingUserPool(scope, 'UserPool', stage);
  const audience = pool.client.userPoolClientId;
  new CfnOutput(scope, 'UserPoolId', { value: pool.userPoolId });
  new CfnOutput(scope, 'UserPoolClientId', {
    value: audience,
    description: 'App client for sign-in; its id is the audience of ID tokens',
  });
  const issuer = pool.userPoolProviderUrl;
  return variables({ issuer, audience, keysUrl: `${issuer}/.well-known/jwks.json` });
}

const variables = (accepted: { issuer: string; audience: string; keysUrl: string }) => ({
  TOKEN_ISSUER: accepted.issuer,
  TOKEN_AUDIENCE: accepted.audience,
  TOKEN_KEYS_URL: accepted.keysUrl,
});
