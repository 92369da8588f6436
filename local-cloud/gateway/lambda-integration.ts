import * as v from 'valibot';
import type { Integration, IntegrationOptions } from './integration.ts';
import { toProxyEvent } from './proxy-event.ts';
import { parseProxyReply } from './proxy-reply.ts';
import { createInternalServerError, GatewayError } from './request/gateway-error.ts';
import { parseInvokedFunction } from './token-authorizer.ts';

export const ProxyIntegrationProperties = v.strictObject({
  Type: v.literal('AWS_PROXY'),
  IntegrationHttpMethod: v.literal('POST'),
  ResponseTransferMode: v.optional(v.literal('BUFFERED')),
  TimeoutInMillis: v.optional(v.number(), 29_000),
  Uri: v.string(),
});

/** Lambda's limit in bytes for synchronous events and for replies. */
const maxPayloadBytes = 6 * 1024 * 1024;

export function createLambdaIntegration(
  { TimeoutInMillis, Uri }: v.InferOutput<typeof ProxyIntegrationProperties>,
  { invoke, apiStage, requirePermission }: IntegrationOptions,
): Integration {
  const functionArn = parseInvokedFunction(Uri);
  requirePermission(functionArn);
  return async ({ request, match, authorization }) => {
    const event = toProxyEvent({
      request,
      api: apiStage,
      resourcePath: match.node.path,
      resourceId: match.node.id,
      pathParameters: match.pathParameters,
      authorization,
    });
    if (request.body.length > maxPayloadBytes / 2 && isTooLarge(JSON.stringify(event))) {
      throw new GatewayError('REQUEST_TOO_LARGE', 'Request Too Long');
    }
    const outcome = await withTimeout(TimeoutInMillis, invoke(functionArn, event));
    if (!outcome.ok || isTooLarge(outcome.reply)) throw createInternalServerError(502);
    return parseProxyReply(outcome.reply);
  };
}

const isTooLarge = (payload: string) => Buffer.byteLength(payload) > maxPayloadBytes;

/** Rejects if the promise is still pending after `milliseconds`. Does not stop the function. */
async function withTimeout<Result>(
  milliseconds: number,
  promise: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new GatewayError('INTEGRATION_TIMEOUT', 'Endpoint request timed out')),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
