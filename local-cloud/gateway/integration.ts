import type { Outcome } from '../functions/thread-protocol.ts';
import type { Match } from './path-tree.ts';
import type { Authorization } from './proxy-event.ts';
import type { ApiStage, GatewayContext } from './request/gateway-context.ts';
import type { GatewayReply, GatewayRequest } from './request/gateway-request.ts';
import type { Relocate } from './request/relocate.ts';
import type { Authorizer } from './token-authorizer.ts';

export type Invoke = (functionArn: string, event: unknown) => Promise<Outcome>;

export interface MatchedRequest {
  request: GatewayRequest;
  context: GatewayContext;
  match: Match<Method>;
  authorization: Authorization | undefined;
}

export type Integration = (matched: MatchedRequest) => GatewayReply | Promise<GatewayReply>;

export interface Method {
  authorizer: Authorizer | undefined;
  integration: Integration;
}

export interface IntegrationOptions {
  invoke: Invoke;
  apiStage: ApiStage;
  relocate: Relocate;
  requirePermission(functionArn: string): void;
}
