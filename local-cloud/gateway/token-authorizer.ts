import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import type { Outcome } from '../functions/thread-protocol.ts';
import { wildcard } from '../stack/wildcard.ts';
import { GatewayError, noDecision } from './gateway-error.ts';
import { type GatewayRequest, header } from './gateway-request.ts';
import type { Authorization } from './proxy-event.ts';

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

/** The authorizer's decision and the caller. */
export interface AuthorizerResult {
  authorization: Authorization;
  denied: GatewayError | undefined;
}

/**
 * Calls the authorizer or returns its cached decision. Throws a GatewayError if there is no
 * decision.
 */
export type Authorizer = (request: GatewayRequest, methodArn: string) => Promise<AuthorizerResult>;

/** Maximum cached decisions; the oldest are evicted first. */
const maxResults = 10_000;

/**
 * Creates a TOKEN authorizer. Decisions, also denials, are cached per token for the template's TTL
 * and apply to every method. Failures are not cached.
 */
export function tokenAuthorizer(
  properties: v.InferOutput<typeof AuthorizerProperties>,
  invoke: (event: unknown) => Promise<Outcome>,
  now: () => number = Date.now,
): Authorizer {
  const headerName = properties.IdentitySource.replace(/^method\.request\.header\./, '');
  const expected = new RegExp(`^(?:${properties.IdentityValidationExpression ?? '.*'})$`, 's');
  const ttl = properties.AuthorizerResultTtlInSeconds * 1000;
  const kept = new Map<string, { reply: AuthorizerReply; until: number }>();

  return async (request, methodArn) => {
    const authorizationToken = header(request, headerName);
    if (!authorizationToken || !expected.test(authorizationToken)) throw unauthorized();
    const known = kept.get(authorizationToken);
    if (known && known.until > now()) return resultFor(known.reply, methodArn);
    kept.delete(authorizationToken);
    const outcome = await invoke({ type: 'TOKEN', methodArn, authorizationToken });
    const reply = readReply(outcome);
    kept.set(authorizationToken, { reply, until: now() + ttl });
    const [oldest] = kept.keys();
    if (kept.size > maxResults && oldest !== undefined) kept.delete(oldest);
    return resultFor(reply, methodArn);
  };
}

const unauthorized = () => new GatewayError('UNAUTHORIZED', 'Unauthorized');

function readReply(outcome: Outcome): AuthorizerReply {
  if (!outcome.ok) {
    if (outcome.failure.errorMessage === 'Unauthorized') throw unauthorized();
    throw noDecision();
  }
  const parsed = v.safeParse(AuthorizerReply, JSON.parse(outcome.reply));
  if (!parsed.success) throw noDecision();
  return parsed.output;
}

function resultFor(
  { principalId, policyDocument, context }: AuthorizerReply,
  methodArn: string,
): AuthorizerResult {
  const applying = policyDocument.Statement.filter(
    ({ Action, Resource }) =>
      Action.some((action) => wildcard(action, 'i').test('execute-api:Invoke')) &&
      Resource.some((resource) => wildcard(resource).test(methodArn)),
  );
  const denied = applying.some(({ Effect }) => Effect === 'Deny');
  const message = 'User is not authorized to access this resource';
  return {
    authorization: { principalId, context: context ?? {} },
    denied:
      !denied && applying.length > 0
        ? undefined
        : new GatewayError('ACCESS_DENIED', denied ? `${message} with an explicit deny` : message),
  };
}

/** Returns the function's ARN in an invocation URI, for buffered or streamed replies. */
export function invokedFunction(uri: string, streams = false): string {
  const path = streams
    ? /:lambda:path\/2021-11-15\/functions\/(.+)\/response-streaming-invocations$/
    : /:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/;
  const [, functionArn] = path.exec(uri) ?? [];
  if (!functionArn) throw new Problem(`The gateway can only invoke functions, not ${uri}`);
  return functionArn;
}
