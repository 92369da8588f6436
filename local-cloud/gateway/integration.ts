import type { Outcome } from '../functions/thread-protocol.ts';
import type { Match } from './path-tree.ts';
import type { Authorization } from './proxy-event.ts';
import type { ApiStage, GatewayContext } from './request/gateway-context.ts';
import type { GatewayReply, GatewayRequest } from './request/gateway-request.ts';
import type { Relocate } from './request/relocate.ts';
import type { Authorizer } from './token-authorizer.ts';

/** Invokes the function with this ARN. */
export type Invoke = (functionArn: string, event: unknown) => Promise<Outcome>;

/** A request that matches a method, with the authorizer's result. */
export interface MatchedRequest {
  request: GatewayRequest;
  context: GatewayContext;
  match: Match<Method>;
  authorization: Authorization | undefined;
}

/** Answers a matched request. */
export type Integration = (matched: MatchedRequest) => GatewayReply | Promise<GatewayReply>;

/** A method of the API. */
export interface Method {
  authorizer: Authorizer | undefined;
  integration: Integration;
}

/** Settings of the API that integrations need. */
export interface IntegrationOptions {
  invoke: Invoke;
  apiStage: ApiStage;
  relocate: Relocate;
  requirePermission(functionArn: string): void;
}
