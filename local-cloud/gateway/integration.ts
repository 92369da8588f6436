import type { Outcome } from '../functions/thread-protocol.ts';
import type { ApiStage, GatewayContext } from './gateway-context.ts';
import type { GatewayReply, GatewayRequest } from './gateway-request.ts';
import type { Authorization } from './proxy-event.ts';
import type { Relocate } from './relocate.ts';
import type { Match } from './routes.ts';
import type { Authorizer } from './token-authorizer.ts';

/** Invokes the function of that ARN. */
export type Invoke = (functionArn: string, event: unknown) => Promise<Outcome>;

/** What an integration needs to know of a request that has come so far. */
export interface MatchedRequest {
  request: GatewayRequest;
  context: GatewayContext;
  match: Match<Method>;
  authorization: Authorization | undefined;
}

/** Answers what the match has found. */
export type Integration = (matched: MatchedRequest) => GatewayReply | Promise<GatewayReply>;

/** A method of the API, ready to be asked. */
export interface Method {
  authorizer: Authorizer | undefined;
  integration: Integration;
}

/** What integrations need of the API that they belong to. */
export interface IntegrationOptions {
  invoke: Invoke;
  apiStage: ApiStage;
  here: Relocate;
  isBinary(request: GatewayRequest): boolean;
  wantsBinary(request: GatewayRequest): boolean;
  requirePermission(functionArn: string): void;
}
