import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { type ErrorCode, messageFor } from '../shared/contract/errors.ts';
import { tokenCheck } from '../shared/http/check-token.ts';
import { causeText } from '../shared/log/cause-text.ts';
import { beginInvocation, invocationFacts } from '../shared/log/invocation.ts';
import { log } from '../shared/log/log.ts';
import { withMetrics } from '../shared/log/metrics.ts';
import { shortHash } from '../shared/log/short-hash.ts';

const check = tokenCheck();

/** No policy, which the gateway answers with a 503 and does not keep. */
const noDecision = {};

/**
 * Checks the bearer token. A bad one is denied with the reason in the context (the gateway makes a 401 of it): denials
 * are cached as grants are, and count as no errors of this function. While it cannot be known whether a token is good,
 * nothing is decided: the client is told to come again. Throws only when the issuer's keys are out of reach; a token of
 * a key that may not be asked for yet is nobody's fault, and anybody can make up some, so it is no error of this function.
 */
export async function handler(
  { authorizationToken, methodArn }: APIGatewayTokenAuthorizerEvent,
  invocation: { awsRequestId?: string } = {},
) {
  beginInvocation();
  const context = await check(authorizationToken).catch((error) => {
    logDecision(invocation, { cause: causeText(error) });
    throw error;
  });
  if (context === 'unavailable') {
    logDecision(invocation, { code: context, unknown_key: 1 });
    return noDecision;
  }
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
  outcome: { caller?: string; code?: ErrorCode; cause?: string; unknown_key?: number },
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

const denial = (code: ErrorCode) => ({ code, message: messageFor(code) });

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
