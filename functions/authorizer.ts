import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { type ErrorCode, getErrorMessage } from '../shared/contract/errors.ts';
import { createTokenVerifier } from '../shared/http/auth/verify-token.ts';
import { describeCause } from '../shared/log/describe-cause.ts';
import { beginInvocation } from '../shared/log/invocation.ts';
import { logInvocation } from '../shared/log/log-invocation.ts';
import { toShortHash } from '../shared/log/short-hash.ts';

const verifyToken = createTokenVerifier();

/** Reply without a policy. The gateway does not cache this reply, and returns 503 to the client. */
const noDecision = {};

/**
 * Checks the bearer token. Denies an invalid token with the reason in the context; the gateway
 * returns 401 and caches the decision. If the token's key is unknown and the issuer's keys were
 * just fetched, returns no policy, so that the client retries. Throws only if it cannot fetch the
 * issuer's keys.
 */
export async function handler(
  { authorizationToken, methodArn }: APIGatewayTokenAuthorizerEvent,
  invocation: { awsRequestId?: string } = {},
) {
  beginInvocation();
  const context = await verifyToken(authorizationToken).catch((error) => {
    logDecision(invocation, { cause: describeCause(error) });
    throw error;
  });
  if (context === 'unavailable') {
    logDecision(invocation, { code: context, unknown_key: 1 });
    return noDecision;
  }
  if (typeof context === 'string') {
    logDecision(invocation, { code: context, denied: 1 });
    return createPolicy('Deny', methodArn, 'unknown', toDenialContext(context));
  }
  logDecision(invocation, { caller: toShortHash(context.contact_id) });
  return createPolicy('Allow', methodArn, context.contact_id, context);
}

/**
 * Logs no request id, because the gateway passes none and reuses the decision for later requests.
 */
const logDecision = (
  invocation: { awsRequestId?: string },
  outcome: Partial<Record<'caller' | 'cause', string>> &
    Partial<Record<'unknown_key' | 'denied', number>> & { code?: ErrorCode },
) =>
  logInvocation(invocation, {
    operation: 'authorizer',
    ...outcome,
    fault: outcome.cause !== undefined,
  });

const toDenialContext = (code: ErrorCode) => ({ code, message: getErrorMessage(code) });

/**
 * Returns one policy for all methods of the stage, because the gateway caches policies per token,
 * not per method.
 */
const createPolicy = (
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
