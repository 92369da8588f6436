import * as v from 'valibot';
import { arn } from '../account.ts';
import { isError, messageOf, Problem } from '../problem.ts';
import type { Stack } from '../stack.ts';
import type { Outcome } from '../worker-protocol.ts';
import { type ApiIdentity, type GatewayContext, initialContext } from './gateway-context.ts';
import { type GatewayReply, type GatewayRequest, header } from './gateway-request.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { lambdaIntegration, ProxyIntegrationProperties } from './lambda-integration.ts';
import { gatewayPermissions } from './lambda-permissions.ts';
import { MockIntegrationProperties, mockIntegration } from './mock-integration.ts';
import type { Authorization } from './proxy-event.ts';
import { internalServerError, Refusal } from './refusal.ts';
import { findMethod, type Match, pathTree } from './routes.ts';
import {
  type Authorizer,
  AuthorizerProperties,
  invokedFunction,
  tokenAuthorizer,
} from './token-authorizer.ts';

const RestApiProperties = v.strictObject({
  BinaryMediaTypes: v.optional(v.array(v.string()), []),
  Description: v.optional(v.string()),
  EndpointConfiguration: v.optional(v.unknown()),
  Name: v.string(),
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

const MethodProperties = v.strictObject({
  ApiKeyRequired: v.optional(v.literal(false)),
  AuthorizationType: v.picklist(['NONE', 'CUSTOM']),
  AuthorizerId: v.optional(v.string()),
  HttpMethod: v.string(),
  Integration: v.variant('Type', [ProxyIntegrationProperties, MockIntegrationProperties]),
  MethodResponses: v.optional(v.unknown()),
  OperationName: v.optional(v.string()),
  ResourceId: v.string(),
  RestApiId: v.string(),
});

/** Invokes the function of that ARN. */
export type Invoke = (functionArn: string, event: unknown) => Promise<Outcome>;

/** What an integration needs to know of a request that has come so far. */
export interface Arrival {
  request: GatewayRequest;
  context: GatewayContext;
  match: Match<Method>;
  authorization: Authorization | undefined;
}

/** Answers what the match has found. */
export type Integration = (arrival: Arrival) => GatewayReply | Promise<GatewayReply>;

interface Method {
  authorizer: Authorizer | undefined;
  integration: Integration;
}

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
  const refuse = gatewayResponses(stack, log);
  const root = methods(stack, invoke, {
    identity,
    rootId: api.attributes.RootResourceId ?? '',
    binaryMediaTypes: api.properties.BinaryMediaTypes,
  });

  return async (request: GatewayRequest): Promise<GatewayReply> => {
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

const executionArn = ({ id, stage }: ApiIdentity, method: string, path: string) =>
  arn('execute-api', `${id}/${stage}/${method}/${path}`);

interface ApiSettings {
  identity: ApiIdentity;
  rootId: string;
  binaryMediaTypes: readonly string[];
}

function methods(
  stack: Stack,
  invoke: Invoke,
  { identity, rootId, binaryMediaTypes }: ApiSettings,
) {
  const requirePermission = gatewayPermissions(stack);
  const { root, nodes } = pathTree<Method>(stack, rootId);
  const authorizers = new Map(
    stack
      .resources('AWS::ApiGateway::Authorizer', AuthorizerProperties)
      .map(({ ref, properties }) => {
        const functionArn = invokedFunction(properties.AuthorizerUri);
        requirePermission(functionArn, arn('execute-api', `${identity.id}/authorizers/${ref}`));
        return [ref, tokenAuthorizer(properties, (event) => invoke(functionArn, event))];
      }),
  );
  for (const { id, properties } of stack.resources('AWS::ApiGateway::Method', MethodProperties)) {
    const node = nodes.get(properties.ResourceId);
    if (!node) throw new Problem(`${id}: its resource is not in the template`);
    const authorizer = authorizers.get(properties.AuthorizerId ?? '');
    if (properties.AuthorizationType === 'CUSTOM' && !authorizer) {
      throw new Problem(`${id}: its authorizer is not in the template`);
    }
    node.methods.set(properties.HttpMethod, {
      authorizer,
      integration: integration(properties.Integration, {
        invoke,
        identity,
        isBinary: (request) => matchesMediaType(binaryMediaTypes, header(request, 'content-type')),
        wantsBinary: (request) => matchesMediaType(binaryMediaTypes, header(request, 'accept')),
        requirePermission: (functionArn) => {
          const path = node.path.slice(1).replace(/\{[^}]*\}/g, '*');
          requirePermission(functionArn, executionArn(identity, properties.HttpMethod, path));
        },
      }),
    });
  }
  return root;
}

export interface IntegrationSurroundings {
  invoke: Invoke;
  identity: ApiIdentity;
  isBinary(request: GatewayRequest): boolean;
  wantsBinary(request: GatewayRequest): boolean;
  requirePermission(functionArn: string): void;
}

function integration(
  properties: v.InferOutput<typeof MethodProperties>['Integration'],
  surroundings: IntegrationSurroundings,
): Integration {
  if (properties.Type === 'AWS_PROXY') return lambdaIntegration(properties, surroundings);
  const answer = mockIntegration(properties);
  return ({ request, context, match }) => answer(request, context, match.pathParameters);
}

/** Whether the first media type of the header is among those patterns, such as `image/*`. */
function matchesMediaType(patterns: readonly string[], value = ''): boolean {
  const first = value.split(/[,;]/)[0]?.trim().toLowerCase() ?? '';
  const [type] = first.split('/');
  return patterns.some((pattern) => [first, `${type}/*`, '*/*'].includes(pattern));
}
