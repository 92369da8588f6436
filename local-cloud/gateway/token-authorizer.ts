import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import type { Outcome } from '../functions/thread-protocol.ts';
import { toWildcardRegExp } from '../stack/wildcard.ts';
import type { Authorization } from './proxy-event.ts';
import { createAuthorizerError, GatewayError } from './request/gateway-error.ts';
import { type GatewayRequest, getHeader } from './request/gateway-request.ts';

export const AuthorizerProperties = v.strictObject({
  Type: v.literal('TOKEN'),
  AuthorizerUri: v.string(),
  AuthorizerResultTtlInSeconds: v.optional(v.number(), 300),
  IdentitySource: v.pipe(v.string(), v.regex(/^method\.request\.header\.[^,]+$/)),
  IdentityValidationExpression: v.optional(v.string()),
  Name: v.optional(v.string()),
  RestApiId: v.string(),
  AuthType: v.optional(v.string()),
});

const oneOrMore = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => (typeof value === 'string' ? [value] : value)),
);

const Statement = v.object({
  Effect: v.picklist(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
});

const AuthorizerReply = v.object({
  principalId: v.string(),
  policyDocument: v.object({
    Version: v.optional(v.string()),
    Statement: v.pipe(
      v.union([Statement, v.array(Statement)]),
      v.transform((value) => (Array.isArray(value) ? value : [value])),
    ),
  }),
  context: v.nullish(
    v.record(
      v.string(),
      v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String)),
    ),
    {},
  ),
});
type AuthorizerReply = v.InferOutput<typeof AuthorizerReply>;

export interface AuthorizerResult {
  authorization: Authorization;
  denied: GatewayError | undefined;
}

/**
 * Authorizes a request by the cached policy, or by the policy that the authorizer function returns.
 * Throws a GatewayError if the token is missing or malformed, or if the function fails or returns
 * no valid policy.
 */
export type Authorizer = (request: GatewayRequest, methodArn: string) => Promise<AuthorizerResult>;

/** Maximum number of cached policies; the oldest is evicted first. */
const maxResults = 10_000;

/**
 * Creates a TOKEN authorizer. Caches each token's policy for the template's TTL, and evaluates the
 * policy for each request. Does not cache failures.
 */
export function createTokenAuthorizer(
  properties: v.InferOutput<typeof AuthorizerProperties>,
  invoke: (event: unknown) => Promise<Outcome>,
  now: () => number = Date.now,
): Authorizer {
  const headerName = properties.IdentitySource.replace(/^method\.request\.header\./, '');
  const expected = new RegExp(`^(?:${properties.IdentityValidationExpression ?? '.*'})$`, 's');
  const ttl = properties.AuthorizerResultTtlInSeconds * 1000;
  const cache = new Map<string, { reply: AuthorizerReply; until: number }>();

  return async (request, methodArn) => {
    const authorizationToken = getHeader(request, headerName);
    if (!authorizationToken || !expected.test(authorizationToken)) throw createUnauthorizedError();
    const cached = cache.get(authorizationToken);
    if (cached && cached.until > now()) return toAuthorizerResult(cached.reply, methodArn);
    cache.delete(authorizationToken);
    const outcome = await invoke({ type: 'TOKEN', methodArn, authorizationToken });
    const reply = parseReply(outcome);
    cache.set(authorizationToken, { reply, until: now() + ttl });
    const [oldest] = cache.keys();
    if (cache.size > maxResults && oldest !== undefined) cache.delete(oldest);
    return toAuthorizerResult(reply, methodArn);
  };
}

const createUnauthorizedError = () => new GatewayError('UNAUTHORIZED', 'Unauthorized');

function parseReply(outcome: Outcome): AuthorizerReply {
  if (!outcome.ok) {
    if (outcome.failure.errorMessage === 'Unauthorized') throw createUnauthorizedError();
    throw createAuthorizerError();
  }
  const parsed = v.safeParse(AuthorizerReply, JSON.parse(outcome.reply));
  if (!parsed.success) throw createAuthorizerError();
  return parsed.output;
}

function toAuthorizerResult(
  { principalId, policyDocument, context }: AuthorizerReply,
  methodArn: string,
): AuthorizerResult {
  const applicable = policyDocument.Statement.filter(
    ({ Action, Resource }) =>
      Action.some((action) => toWildcardRegExp(action, 'i').test('execute-api:Invoke')) &&
      Resource.some((resource) => toWildcardRegExp(resource).test(methodArn)),
  );
  const denied = applicable.some(({ Effect }) => Effect === 'Deny');
  const message = 'User is not authorized to access this resource';
  return {
    authorization: { principalId, context: context ?? {} },
    denied:
      !denied && applicable.length > 0
        ? undefined
        : new GatewayError('ACCESS_DENIED', denied ? `${message} with an explicit deny` : message),
  };
}

/** Returns the ARN of the function that the URI invokes. Throws a Problem for any other URI. */
export function parseInvokedFunction(uri: string): string {
  const path = /:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/;
  const [, functionArn] = path.exec(uri) ?? [];
  if (!functionArn) throw new Problem(`The gateway can invoke only functions, not ${uri}`);
  return functionArn;
}
