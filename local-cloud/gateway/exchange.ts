import type { GatewayReply, GatewayRequest } from './gateway-request.ts';

/** A request that was answered. */
export interface Exchange {
  request: GatewayRequest;
  reply: GatewayReply;
  /** Whom the authorizer has let in; undefined of what it was not asked about, or has denied. */
  caller: string | undefined;
}

/** Is told of each request once its reply is known. */
export type OnExchange = (exchange: Exchange) => void;
