import type { GatewayReply, GatewayRequest } from './gateway-request.ts';

/** An answered request. */
export interface Exchange {
  request: GatewayRequest;
  reply: GatewayReply;
  /** Caller admitted by the authorizer; undefined if no authorizer admitted the request. */
  caller: string | undefined;
}

/** Called with each request once its reply is known. */
export type OnExchange = (exchange: Exchange) => void;
