import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { accountId } from '../account.ts';
import type { Outcome } from '../functions/thread-protocol.ts';
import { parseChannel } from './channel-path.ts';
import type { EventApi } from './event-api.ts';

const AuthorizerReply = v.object({ isAuthorized: v.literal(true) });

/** Authorization in the handshake's subprotocol or in a subscription. */
export const Authorization = v.looseObject({ Authorization: v.string(), host: v.string() });
export type Authorization = v.InferOutput<typeof Authorization>;

export interface AuthorizerOptions {
  api: EventApi;
  /** The `host` that a listener's authorization must contain. */
  host: string;
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
}

/** Returns the reason to refuse the request, or `undefined` if the request is authorized. */
export type FindRefusal = (
  operation: 'EVENT_CONNECT' | 'EVENT_SUBSCRIBE',
  authorization: unknown,
  channel?: string,
) => Promise<string | undefined>;

const denied = 'You are not authorized.';
/**
 * AppSync reserves `Bearer` and bare JWTs for OpenID Connect and user pools.
 *
 * @see https://github.com/aws-amplify/amplify-category-api/issues/2128
 * @see https://github.com/aws-amplify/amplify-cli/issues/9714
 */
const reserved = /^(Bearer +.*|[\w-]+\.[\w-]+\.[\w-]+)$/is;
const reservedMessage =
  'AppSync does not invoke a Lambda authorizer for `Bearer` or a bare JWT. Send `Token <jwt>`.';

/**
 * Returns a check for connections and subscriptions. The check invokes the authorizer function only
 * if the host is right and the token's form is accepted. The check caches no decisions.
 */
export const createLambdaAuthorizer =
  ({ api, host, invoke }: AuthorizerOptions): FindRefusal =>
  async (operation, credentials, channel) => {
    const { success, output } = v.safeParse(Authorization, credentials);
    if (!success || output.host !== host) return denied;
    const { Authorization: authorizationToken, ...requestHeaders } = output;
    if (reserved.test(authorizationToken)) return reservedMessage;
    if (!api.tokenForm.test(authorizationToken)) return denied;
    const outcome = await invoke(api.authorizer, {
      authorizationToken,
      requestContext: {
        apiId: api.id,
        accountId,
        requestId: randomUUID(),
        operation,
        channelNamespaceName: channel === undefined ? null : (parseChannel(channel)?.[0] ?? null),
        channel: channel ?? null,
      },
      requestHeaders,
    });
    const isAllowed = outcome.ok && v.is(AuthorizerReply, JSON.parse(outcome.reply));
    return isAllowed ? undefined : denied;
  };
