import type { GatewayReply, GatewayRequest } from './gateway-request.ts';

export interface Exchange {
  request: GatewayRequest;
  reply: GatewayReply;
  /** Principal id from the authorizer; undefined if no authorizer allowed the request. */
  caller: string | undefined;
}

/** Receives each request with its reply. */
export type OnExchange = (exchange: Exchange) => void;
