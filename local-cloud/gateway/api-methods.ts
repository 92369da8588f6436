import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { arn } from '../account.ts';
import { permissionsOf } from '../stack/lambda-permissions.ts';
import type { Stack } from '../stack/stack.ts';
import type { ApiStage } from './gateway-context.ts';
import { header } from './gateway-request.ts';
import type { Integration, IntegrationOptions, Invoke, Method } from './integration.ts';
import { lambdaIntegration, ProxyIntegrationProperties } from './lambda-integration.ts';
import { MockIntegrationProperties, mockIntegration } from './mock-integration.ts';
import type { Relocate } from './relocate.ts';
import { pathTree } from './routes.ts';
import { AuthorizerProperties, invokedFunction, tokenAuthorizer } from './token-authorizer.ts';

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
  here: Relocate;
  rootId: string;
  binaryMediaTypes: readonly string[];
}

/** Builds the API's tree of paths and methods and returns its root. */
export function apiMethods(
  stack: Stack,
  invoke: Invoke,
  { apiStage, here, rootId, binaryMediaTypes }: ApiSettings,
) {
  const requirePermission = permissionsOf(stack, 'apigateway.amazonaws.com');
  const { root, nodes } = pathTree<Method>(stack, rootId);
  const authorizers = new Map(
    stack
      .resources('AWS::ApiGateway::Authorizer', AuthorizerProperties)
      .map(({ ref, properties }) => {
        const functionArn = invokedFunction(properties.AuthorizerUri);
        requirePermission(functionArn, arn('execute-api', `${apiStage.id}/authorizers/${ref}`));
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
        apiStage,
        here,
        isBinary: (request) => matchesMediaType(binaryMediaTypes, header(request, 'content-type')),
        wantsBinary: (request) => matchesMediaType(binaryMediaTypes, header(request, 'accept')),
        requirePermission: (functionArn) => {
          const path = node.path.slice(1).replace(/\{[^}]*\}/g, '*');
          requirePermission(functionArn, executionArn(apiStage, properties.HttpMethod, path));
        },
      }),
    });
  }
  return root;
}

function integration(
  properties: v.InferOutput<typeof MethodProperties>['Integration'],
  options: IntegrationOptions,
): Integration {
  if (properties.Type === 'AWS_PROXY') return lambdaIntegration(properties, options);
  const answer = mockIntegration(properties, options.here);
  return ({ request, context, match }) => answer(request, context, match.pathParameters);
}

/** Reports whether the header's first media type matches one of the patterns, such as `image/*`. */
function matchesMediaType(patterns: readonly string[], value = ''): boolean {
  const first = value.split(/[,;]/)[0]?.trim().toLowerCase() ?? '';
  const [type] = first.split('/');
  return patterns.some((pattern) => [first, `${type}/*`, '*/*'].includes(pattern));
}

/** Formats the ARN of a request, or a pattern with `*`, as in policies and permissions. */
export const executionArn = ({ id, stage }: ApiStage, method: string, path: string) =>
  arn('execute-api', `${id}/${stage}/${method}/${path}`);
