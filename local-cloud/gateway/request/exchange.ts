import type { GatewayReply, GatewayRequest } from './gateway-request.ts';

export interface Exchange {
  request: GatewayRequest;
  reply: GatewayReply;
  /** Principal id from the authorizer; undefined if no authorizer allowed the request. */
  caller: string | undefined;
}

/** Called with each request when its reply is known. */
export type OnExchange = (exchange: Exchange) => void;
