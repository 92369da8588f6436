import * as v from 'valibot';
import { ApiError } from '../shared/api-error.ts';
import { clock, toSeconds } from '../shared/clock.ts';
import type { ErrorCode } from '../shared/contract/errors.ts';
import { type CallerContext, toCaller } from '../shared/http/auth/caller-context.ts';
import { createTokenVerifier } from '../shared/http/auth/verify-token.ts';
import { describeCause } from '../shared/log/describe-cause.ts';
import { beginInvocation } from '../shared/log/invocation.ts';
import { logInvocation } from '../shared/log/log-invocation.ts';
import { toShortHash } from '../shared/log/short-hash.ts';
import { canSubscribe, getUserGroup, type Listener } from '../shared/push/channels.ts';
import { getMembership } from '../shared/table/groups/membership.ts';

/** Event from AppSync. When a client connects, the event has no channel. */
const AuthorizerEvent = v.object({
  authorizationToken: v.string(),
  requestContext: v.object({ operation: v.string(), channel: v.nullish(v.string(), '') }),
});
type AuthorizerEvent = v.InferOutput<typeof AuthorizerEvent>;

interface Decision {
  caller?: string;
  refused?: ErrorCode | 'channel' | 'operation';
}

const verifyToken = createTokenVerifier();

/**
 * Decides whether a caller may connect, or subscribe to a channel. Clients send `Token <jwt>`,
 * because AppSync reserves `Bearer`. Refuses all publish requests, because the service publishes
 * through its role. Prevents AppSync from caching the decision, which depends on the channel and
 * the hour. Throws if it needs the issuer's keys and cannot fetch them; AppSync then refuses the
 * client.
 */
export async function handler(event: unknown, invocation: { awsRequestId?: string } = {}) {
  beginInvocation();
  const { authorizationToken, requestContext } = v.parse(AuthorizerEvent, event);
  const outcome = await decide(authorizationToken, requestContext).catch((error) => {
    logDecision(invocation, requestContext, { cause: describeCause(error) });
    throw error;
  });
  logDecision(invocation, requestContext, outcome);
  return { isAuthorized: outcome.refused === undefined, ttlOverride: 0 };
}

async function decide(
  token: string,
  { operation, channel }: AuthorizerEvent['requestContext'],
): Promise<Decision> {
  const context = await verifyToken(`Bearer ${token.replace(/^(Token|Bearer) +/i, '')}`);
  if (typeof context === 'string') return { refused: context };
  const caller = toShortHash(context.contact_id);
  const listener = toListener(context);
  if (typeof listener === 'string') return { caller, refused: listener };
  if (operation === 'EVENT_CONNECT') return { caller };
  if (operation !== 'EVENT_SUBSCRIBE') return { caller, refused: 'operation' };
  return { caller, ...(!(await isAllowed(channel, listener)) && { refused: 'channel' }) };
}

/** Reports whether the listener may subscribe. Reads a membership only if all other checks pass. */
async function isAllowed(channel: string, listener: Listener): Promise<boolean> {
  const group = getUserGroup(channel);
  const groups = group === undefined ? listener.groups : [...listener.groups, group];
  if (!canSubscribe(channel, { ...listener, groups }, toSeconds(clock.now()))) return false;
  return group === undefined || (await getMembership(listener.id, group)) !== undefined;
}

function toListener(context: CallerContext) {
  try {
    return toCaller(context);
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

const logDecision = (
  invocation: { awsRequestId?: string },
  { operation: asked }: AuthorizerEvent['requestContext'],
  outcome: Decision & { cause?: string },
) =>
  logInvocation(invocation, {
    operation: 'channel-authorizer',
    asked,
    ...outcome,
    fault: outcome.cause !== undefined,
  });
