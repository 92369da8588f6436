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
  /** Required value of `host`. */
  host: string;
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
}

/**
 * Reports whether the request is allowed. A function that fails or returns another shape refuses
 * it.
 */
export type IsAuthorized = (
  operation: 'EVENT_CONNECT' | 'EVENT_SUBSCRIBE',
  authorization: unknown,
  channel?: string,
) => Promise<boolean>;

/** Calls the function for each connection and subscription, without caching. */
export const createLambdaAuthorizer =
  ({ api, host, invoke }: AuthorizerOptions): IsAuthorized =>
  async (operation, credentials, channel) => {
    const { success, output } = v.safeParse(Authorization, credentials);
    if (!success || output.host !== host) return false;
    const { Authorization: authorizationToken, ...requestHeaders } = output;
    if (!api.tokenForm.test(authorizationToken)) return false;
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
    return outcome.ok && v.is(AuthorizerReply, JSON.parse(outcome.reply));
  };
