import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { arn } from '../account.ts';
import { createPermissionCheck } from '../stack/lambda-permissions.ts';
import type { Stack } from '../stack/read-stack.ts';
import type { Integration, IntegrationOptions, Invoke, Method } from './integration.ts';
import { createLambdaIntegration, ProxyIntegrationProperties } from './lambda-integration.ts';
import { createMockIntegration, MockIntegrationProperties } from './mock-integration.ts';
import { buildPathTree } from './path-tree.ts';
import type { ApiStage } from './request/gateway-context.ts';
import type { Relocate } from './request/relocate.ts';
import {
  AuthorizerProperties,
  createTokenAuthorizer,
  parseInvokedFunction,
} from './token-authorizer.ts';

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

interface ApiSettings {
  apiStage: ApiStage;
  relocate: Relocate;
  rootId: string;
}

/** Returns the root of the API's path tree. */
export function buildApiMethods(
  stack: Stack,
  invoke: Invoke,
  { apiStage, relocate, rootId }: ApiSettings,
) {
  const requirePermission = createPermissionCheck(stack, 'apigateway.amazonaws.com');
  const { root, nodes } = buildPathTree<Method>(stack, rootId);
  const authorizers = new Map(
    stack
      .resources('AWS::ApiGateway::Authorizer', AuthorizerProperties)
      .map(({ ref, properties }) => {
        const functionArn = parseInvokedFunction(properties.AuthorizerUri);
        requirePermission(functionArn, arn('execute-api', `${apiStage.id}/authorizers/${ref}`));
        return [ref, createTokenAuthorizer(properties, (event) => invoke(functionArn, event))];
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
      integration: createIntegration(properties.Integration, {
        invoke,
        apiStage,
        relocate,
        requirePermission: (functionArn) => {
          const path = node.path.slice(1).replace(/\{[^}]*\}/g, '*');
          requirePermission(functionArn, toExecutionArn(apiStage, properties.HttpMethod, path));
        },
      }),
    });
  }
  return root;
}

function createIntegration(
  properties: v.InferOutput<typeof MethodProperties>['Integration'],
  options: IntegrationOptions,
): Integration {
  if (properties.Type === 'AWS_PROXY') return createLambdaIntegration(properties, options);
  const mockHandler = createMockIntegration(properties, options.relocate);
  return ({ request, context }) => mockHandler(request, context);
}

/** Formats the ARN of a request. In a pattern, `path` may contain `*`. */
export const toExecutionArn = ({ id, stage }: ApiStage, method: string, path: string) =>
  arn('execute-api', `${id}/${stage}/${method}/${path}`);
