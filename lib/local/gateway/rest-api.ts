import * as v from 'valibot';
import { isError, messageOf, Problem } from '../../problem.ts';
import type { Stack } from '../stack/stack.ts';
import { apiMethods, executionArn } from './api-methods.ts';
import { firewall } from './firewall.ts';
import { type ApiIdentity, type GatewayContext, initialContext } from './gateway-context.ts';
import type { GatewayReply, GatewayRequest } from './gateway-request.ts';
import { gatewayResponses } from './gateway-responses.ts';
import type { Invoke, Method } from './integration.ts';
import type { Authorization } from './proxy-event.ts';
import { internalServerError, Refusal } from './refusal.ts';
import { findMethod, type Match } from './routes.ts';

const RestApiProperties = v.strictObject({
  BinaryMediaTypes: v.optional(v.array(v.string()), []),
  Description: v.optional(v.string()),
  // Names and encryption are of no concern on the loopback interface.
  DisableExecuteApiEndpoint: v.optional(v.unknown()),
  EndpointAccessMode: v.optional(v.unknown()),
  EndpointConfiguration: v.optional(v.unknown()),
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

/** API Gateway's limits: on the request line and headers together, and on the body. */
const mostHeadBytes = 10_240;
export const mostBodyBytes = 10 * 1024 * 1024;

/** The REST API of the stack as a function from requests to replies. */
export function restApi(stack: Stack, invoke: Invoke, log: (line: string) => void) {
  const [api, ...otherApis] = stack.resources('AWS::ApiGateway::RestApi', RestApiProperties);
  const [stage, ...otherStages] = stack.resources('AWS::ApiGateway::Stage', StageProperties);
  if (!api || !stage || otherApis.length + otherStages.length > 0) {
    throw new Problem('The local cloud serves one REST API with one stage.');
  }
  const identity: ApiIdentity = { id: api.ref, stage: stage.ref };
  const guard = firewall(stack);
  const refuse = gatewayResponses(stack, log);
  const root = apiMethods(stack, invoke, {
    identity,
    rootId: api.attributes.RootResourceId ?? '',
    binaryMediaTypes: api.properties.BinaryMediaTypes,
  });

  return async (request: GatewayRequest): Promise<GatewayReply> => {
    const blocked = guard(request);
    if (blocked) return blocked;
    const context = initialContext(request, identity);
    try {
      if (request.headBytes > mostHeadBytes) {
        throw new Refusal('DEFAULT_4XX', 'Request Header Fields Too Large', 431);
      }
      if (request.body.length > mostBodyBytes) {
        throw new Refusal('REQUEST_TOO_LARGE', 'Request Too Long');
      }
      const match = findMethod(root, request.method, request.path);
      if (!match) throw new Refusal('MISSING_AUTHENTICATION_TOKEN', 'Missing Authentication Token');
      context.resourceId = match.node.id;
      context.resourcePath = match.node.path;
      const authorization = await authorize(match, request, context, identity);
      return await match.method.integration({ request, context, match, authorization });
    } catch (error) {
      if (error instanceof Refusal) return refuse(error, context, request);
      log((isError(error) && error.stack) || messageOf(error));
      return refuse(internalServerError(), context, request);
    }
  };
}

async function authorize(
  { method: { authorizer } }: Match<Method>,
  request: GatewayRequest,
  context: GatewayContext,
  identity: ApiIdentity,
): Promise<Authorization | undefined> {
  if (!authorizer) return undefined;
  const path = request.path.slice(1);
  const methodArn = executionArn(identity, request.method, path);
  const { authorization, refusal } = await authorizer(request, methodArn);
  context.authorizer = { ...authorization.context, principalId: authorization.principalId };
  if (refusal) throw refusal;
  return authorization;
}
