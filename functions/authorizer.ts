import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { type ErrorCode, messageFor } from '../shared/contract/errors.ts';
import { tokenCheck } from '../shared/http/check-token.ts';
import { causeText } from '../shared/log/cause-text.ts';
import { beginInvocation, invocationFacts } from '../shared/log/invocation.ts';
import { log } from '../shared/log/log.ts';
import { withMetrics } from '../shared/log/metrics.ts';
import { shortHash } from '../shared/log/short-hash.ts';

const check = tokenCheck();

/** Returns no policy: the gateway answers 503 and does not cache it. */
const noDecision = {};

/**
 * Checks the bearer token. A bad token is denied with the reason in the context, from which the
 * gateway makes a 401: denials are cached as grants are, and are not errors of this function. If
 * the validity cannot be determined yet, the client must retry; made-up key ids cause this, so it
 * is not an error either. Throws only if the issuer's keys are unreachable.
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

/** Has no request id: the gateway passes none, and caches the reply for further requests. */
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

/** Allows every method of the stage, because the reply is cached per token and not per method. */
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
