import { Validations } from 'aws-cdk-lib';
import {
  LambdaIntegration,
  type MethodDeploymentOptions,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';
import { MessagingFunction } from '../messaging-function.ts';

/** Serves the reference to all callers. The function's role permits only logs and traces. */
export class ReferenceFunction extends MessagingFunction {
  constructor(scope: Construct, { stage, bundles }: { stage: Stage; bundles: string }) {
    super(scope, 'Docs', {
      stage,
      path: 'docs',
      bundles,
      description: 'Serves the reference',
      memoryMegabytes: 256,
      environment: { ALLOWED_ORIGINS: stage.allowedOrigins.join(',') },
      statements: [],
    });
  }
}

/**
 * Paths of the reference, with throttling limits that all readers share. The limits keep requests
 * for the reference from using up the API's limit.
 */
const paths = [
  { path: '/docs', requestsPerSecond: 5, burst: 50 },
  { path: '/docs/{page}', requestsPerSecond: 5, burst: 50 },
  // A first visit loads three files, which browsers then cache.
  { path: '/docs/assets/{file}', requestsPerSecond: 2, burst: 50 },
];
const methods = ['GET', 'HEAD'];

/** Throttling settings by path and method. API Gateway rejects excess requests with 429. */
export const referenceThrottling: Record<string, MethodDeploymentOptions> = Object.fromEntries(
  paths.flatMap(({ path, requestsPerSecond, burst }) =>
    methods.map((method) => [
      `${path}/${method}`,
      { throttlingRateLimit: requestsPerSecond, throttlingBurstLimit: burst },
    ]),
  ),
);

/** Adds the reference to the API. */
export function addReferenceMethods(api: RestApi, handler: IFunction): void {
  const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
  for (const { path } of paths) {
    const resource = api.root.resourceForPath(path);
    for (const httpMethod of methods) {
      const method = resource.addMethod(httpMethod, integration);
      Validations.of(method).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: 'The reference is public.',
      });
    }
  }
}
