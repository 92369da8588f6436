import { JwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwtBaseError, JwtExpiredError } from 'aws-jwt-verify/error';
import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { causeText } from '../shared/cause-text.ts';
import type { ErrorCode } from '../shared/contract/errors.ts';
import { errorCatalog } from '../shared/contract/errors.ts';
import { env } from '../shared/env.ts';
import { type CallerContext, contextOf } from '../shared/http/caller-context.ts';
import { keySets } from '../shared/http/key-set.ts';
import { beginInvocation, invocationFacts } from '../shared/invocation.ts';
import { log } from '../shared/log.ts';
import { withMetrics } from '../shared/metrics.ts';
import { shortHash } from '../shared/short-hash.ts';

const verifier = JwtVerifier.create(
  {
    issuer: env('TOKEN_ISSUER'),
    audience: env('TOKEN_AUDIENCE'),
    jwksUri: env('TOKEN_KEYS_URL'),
  },
  { jwksCache: keySets() },
);

/**
 * Checks the bearer token. A bad one is denied with the reason in the context (the gateway makes a 401 of it): denials
 * are cached as grants are, and count as no errors of this function. Throws only when the issuer's keys are out of reach.
 */
export async function handler(
  { authorizationToken, methodArn }: APIGatewayTokenAuthorizerEvent,
  invocation: { awsRequestId?: string } = {},
) {
  beginInvocation();
  const context = await callerContext(authorizationToken).catch((error) => {
    logDecision(invocation, { cause: causeText(error) });
    throw error;
  });
  if (typeof context === 'string') {
    logDecision(invocation, { code: context });
    return policy('Deny', methodArn, 'unknown', denial(context));
  }
  logDecision(invocation, { caller: shortHash(context.contact_id) });
  return policy('Allow', methodArn, context.contact_id, context);
}

/** It has no request's id: the gateway gives it none, and keeps the answer for further requests. */
const logDecision = (
  invocation: { awsRequestId?: string },
  outcome: { caller?: string; code?: ErrorCode; cause?: string },
) =>
  log({
    level: outcome.cause ? 'ERROR' : 'INFO',
    ...withMetrics({
      operation: 'authorizer',
      ...outcome,
      ...invocationFacts(invocation),
      fault: Number(outcome.cause !== undefined),
    }),
  });

async function callerContext(header: string): Promise<CallerContext | ErrorCode> {
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (!token) return 'token_invalid';
  try {
    return contextOf(await verifier.verify(token)) ?? 'token_invalid';
  } catch (error) {
    if (error instanceof JwtExpiredError) return 'token_expired';
    if (error instanceof JwtBaseError && !(error instanceof FetchError)) return 'token_invalid';
    throw error;
  }
}

const denial = (code: ErrorCode) => ({
  code,
  message: `${errorCatalog[code].meaning} ${errorCatalog[code].cure}`,
});

/** For every method of the stage, since the answer is cached for the token and not for the method. */
const policy = (
  effect: 'Allow' | 'Deny',
  methodArn: string,
  principalId: string,
  context: Partial<Record<string, string>>,
) => ({
  principalId,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [
      {
        Action: 'execute-api:Invoke',
        Effect: effect,
        Resource: methodArn.split('/', 2).concat('*').join('/'),
      },
    ],
  },
  context,
});
