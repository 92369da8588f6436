import * as v from 'valibot';
import { isError, Problem, toErrorMessage } from '../../lib/problem.ts';
import { region } from '../account.ts';
import type { Stack } from '../stack/read-stack.ts';
import { buildApiMethods, toExecutionArn } from './api-methods.ts';
import { compressReply } from './compress-reply.ts';
import { createFirewall } from './firewall.ts';
import { createErrorReplies } from './gateway-responses.ts';
import type { Invoke, Method } from './integration.ts';
import { findMethod, type Match } from './path-tree.ts';
import type { Authorization } from './proxy-event.ts';
import type { OnExchange } from './request/exchange.ts';
import { type ApiStage, createContext, type GatewayContext } from './request/gateway-context.ts';
import { createInternalServerError, GatewayError } from './request/gateway-error.ts';
import type { GatewayReply, GatewayRequest } from './request/gateway-request.ts';
import type { Relocate } from './request/relocate.ts';

const RestApiProperties = v.strictObject({
  Description: v.optional(v.string()),
  // Ignored: names and encryption of endpoints do not matter on the loopback interface.
  DisableExecuteApiEndpoint: v.optional(v.unknown()),
  EndpointAccessMode: v.optional(v.unknown()),
  EndpointConfiguration: v.optional(v.unknown()),
  MinimumCompressionSize: v.optional(v.number()),
  Name: v.string(),
  SecurityPolicy: v.optional(v.unknown()),
  Tags: v.optional(v.unknown()),
});

const StageProperties = v.strictObject({
  AccessLogSetting: v.optional(v.unknown()),
  DeploymentId: v.optional(v.string()),
  Description: v.optional(v.string()),
  MethodSettings: v.optional(v.unknown()),
  RestApiId: v.string(),
  StageName: v.string(),
  Tags: v.optional(v.unknown()),
  TracingEnabled: v.optional(v.boolean()),
});

/** API Gateway's limits in bytes: for the request line and headers, and for the body. */
const maxHeadBytes = 10_240;
export const maxBodyBytes = 10 * 1024 * 1024;

export interface RestApiOptions {
  /** Local address without a trailing slash; the AWS address by default. */
  address?: string;
  log: (line: string) => void;
  onExchange?: OnExchange | undefined;
}

/**
 * Returns a handler for requests to the REST API. Throws a Problem unless the stack has one REST
 * API with one stage.
 */
export function createRestApi(
  stack: Stack,
  invoke: Invoke,
  { address, log, onExchange = () => {} }: RestApiOptions,
) {
  const [api, ...otherApis] = stack.resources('AWS::ApiGateway::RestApi', RestApiProperties);
  const [stage, ...otherStages] = stack.resources('AWS::ApiGateway::Stage', StageProperties);
  if (!api || !stage || otherApis.length + otherStages.length > 0) {
    throw new Problem('The local cloud supports only stacks with one REST API and one stage.');
  }
  const apiStage: ApiStage = { id: api.ref, stage: stage.ref };
  const cloudAddress = `https://${apiStage.id}.execute-api.${region}.amazonaws.com/${apiStage.stage}`;
  const relocate: Relocate = (text) => text.replaceAll(cloudAddress, address ?? cloudAddress);
  const firewall = createFirewall(stack, { relocate });
  const replyToError = createErrorReplies(stack, { relocate, log });
  const root = buildApiMethods(stack, invoke, {
    apiStage,
    relocate,
    rootId: api.attributes.RootResourceId ?? '',
  });

  return async (request: GatewayRequest): Promise<GatewayReply> => {
    let caller: string | undefined;
    const reply =
      firewall(request) ??
      (await handleRequest(request, (principalId) => {
        caller = principalId;
      }));
    onExchange({ request, reply, caller });
    return compressReply(request, reply, api.properties.MinimumCompressionSize);
  };

  async function handleRequest(
    request: GatewayRequest,
    onCaller: (principalId: string) => void,
  ): Promise<GatewayReply> {
    const context = createContext(request, apiStage);
    try {
      if (request.headBytes > maxHeadBytes) {
        throw new GatewayError('DEFAULT_4XX', 'Request Header Fields Too Large', 431);
      }
      if (request.body.length > maxBodyBytes) {
        throw new GatewayError('REQUEST_TOO_LARGE', 'Request Too Long');
      }
      const match = findMethod(root, request.method, request.path);
      if (!match)
        throw new GatewayError('MISSING_AUTHENTICATION_TOKEN', 'Missing Authentication Token');
      context.resourceId = match.node.id;
      context.resourcePath = match.node.path;
      const authorization = await authorize(match, request, context, apiStage);
      if (authorization) onCaller(authorization.principalId);
      return await match.method.integration({ request, context, match, authorization });
    } catch (error) {
      if (error instanceof GatewayError) return replyToError(error, context, request);
      log((isError(error) && error.stack) || toErrorMessage(error));
      return replyToError(createInternalServerError(), context, request);
    }
  }
}

async function authorize(
  { method: { authorizer } }: Match<Method>,
  request: GatewayRequest,
  context: GatewayContext,
  apiStage: ApiStage,
): Promise<Authorization | undefined> {
  if (!authorizer) return undefined;
  const path = request.path.slice(1);
  const methodArn = toExecutionArn(apiStage, request.method, path);
  const { authorization, denied } = await authorizer(request, methodArn);
  context.authorizer = { ...authorization.context, principalId: authorization.principalId };
  if (denied) throw denied;
  return authorization;
}
