import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { accountId } from '../account.ts';
import type { Outcome } from '../functions/thread-protocol.ts';
import { segmentsOf } from './channel.ts';
import type { EventApi } from './definition.ts';

const Grant = v.object({ isAuthorized: v.literal(true) });

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
export type MayThey = (
  operation: 'EVENT_CONNECT' | 'EVENT_SUBSCRIBE',
  authorization: unknown,
  channel?: string,
) => Promise<boolean>;

/** Calls the function for each connection and subscription, without caching. */
export const lambdaAuthorizer =
  ({ api, host, invoke }: AuthorizerOptions): MayThey =>
  async (operation, shown, channel) => {
    const { success, output } = v.safeParse(Authorization, shown);
    if (!success || output.host !== host) return false;
    const { Authorization: authorizationToken, ...requestHeaders } = output;
    const outcome = await invoke(api.authorizer, {
      authorizationToken,
      requestContext: {
        apiId: api.id,
        accountId,
        requestId: randomUUID(),
        operation,
        channelNamespaceName: channel === undefined ? null : (segmentsOf(channel)?.[0] ?? null),
        channel: channel ?? null,
      },
      requestHeaders,
    });
    return outcome.ok && v.is(Grant, JSON.parse(outcome.reply));
  };
