import { Validations } from 'aws-cdk-lib';
import {
  LambdaIntegration,
  type MethodDeploymentOptions,
  ResponseTransferMode,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { MessagingFunction } from './messaging-function.ts';

/** The function that serves the reference to anybody. It may do nothing but write its log. */
export class Reference extends MessagingFunction {
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

/** Where it is, and what is let through of all readers together: so nobody asks for so much of it that it costs others. */
const paths = [
  { path: '/docs', requestsPerSecond: 5, burst: 50 },
  { path: '/docs/{page}', requestsPerSecond: 5, burst: 50 },
  // Half a megabyte for who is new, and kept then.
  { path: '/docs/assets/{file}', requestsPerSecond: 2, burst: 50 },
];
const methods = ['GET', 'HEAD'];

/** Above these, 429, whatever the stage lets through of the API. */
export const referenceThrottling: Record<string, MethodDeploymentOptions> = Object.fromEntries(
  paths.flatMap(({ path, requestsPerSecond, burst }) =>
    methods.map((method) => [
      `${path}/${method}`,
      { throttlingRateLimit: requestsPerSecond, throttlingBurstLimit: burst },
    ]),
  ),
);

/**
 * Puts the reference before the function. Its replies are streamed: they are compressed already, and so reach the client as they
 * are, without any other path's bodies having to be taken for bytes.
 */
export function serveReference(api: RestApi, handler: IFunction): void {
  const integration = new LambdaIntegration(handler, {
    allowTestInvoke: false,
    responseTransferMode: ResponseTransferMode.STREAM,
  });
  for (const { path } of paths) {
    const resource = api.root.resourceForPath(path);
    for (const httpMethod of methods) {
      const method = resource.addMethod(httpMethod, integration);
      Validations.of(method).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: 'Everybody may read how the API is used.',
      });
    }
  }
}
