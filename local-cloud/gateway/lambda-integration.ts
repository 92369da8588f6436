import * as v from 'valibot';
import { GatewayError, internalServerError } from './gateway-error.ts';
import type { Integration, IntegrationOptions } from './integration.ts';
import { proxyEvent } from './proxy-event.ts';
import { readProxyReply, readStreamedReply } from './proxy-reply.ts';
import { invokedFunction } from './token-authorizer.ts';

export const ProxyIntegrationProperties = v.strictObject({
  Type: v.literal('AWS_PROXY'),
  IntegrationHttpMethod: v.literal('POST'),
  ResponseTransferMode: v.optional(v.picklist(['BUFFERED', 'STREAM']), 'BUFFERED'),
  TimeoutInMillis: v.optional(v.number(), 29_000),
  Uri: v.string(),
});

/** Lambda's limit for synchronous events and replies. */
const maxPayloadBytes = 6 * 1024 * 1024;

/** Passes the whole request to a function and returns its reply. */
export function lambdaIntegration(
  { ResponseTransferMode, TimeoutInMillis, Uri }: v.InferOutput<typeof ProxyIntegrationProperties>,
  { invoke, apiStage, isBinary, wantsBinary, requirePermission }: IntegrationOptions,
): Integration {
  const streams = ResponseTransferMode === 'STREAM';
  const functionArn = invokedFunction(Uri, streams);
  requirePermission(functionArn);
  return async ({ request, match, authorization }) => {
    const event = proxyEvent({
      request,
      api: apiStage,
      resourcePath: match.node.path,
      resourceId: match.node.id,
      pathParameters: match.pathParameters,
      authorization,
      binary: isBinary(request),
    });
    if (request.body.length > maxPayloadBytes / 2 && isTooLarge(JSON.stringify(event))) {
      throw new GatewayError('REQUEST_TOO_LARGE', 'Request Too Long');
    }
    const outcome = await within(TimeoutInMillis, invoke(functionArn, event));
    // The function and its integration must agree on streaming.
    if (!outcome.ok || streams !== (outcome.streamed !== undefined)) throw internalServerError(502);
    if (outcome.streamed) return readStreamedReply(outcome.streamed);
    if (isTooLarge(outcome.reply)) throw internalServerError(502);
    return readProxyReply(outcome.reply, wantsBinary(request));
  };
}

const isTooLarge = (payload: string) => Buffer.byteLength(payload) > maxPayloadBytes;

/** The gateway stops waiting; the function continues. */
async function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new GatewayError('INTEGRATION_TIMEOUT', 'Endpoint request timed out')),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
