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

/** Lambda's limit on a synchronous event and on its reply. */
const maxPayloadBytes = 6 * 1024 * 1024;

/** Hands the whole request to a function, and takes its whole reply from it. */
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
    // A function and its integration have to agree on whether the reply is streamed.
    if (!outcome.ok || streams !== (outcome.streamed !== undefined)) throw internalServerError(502);
    if (outcome.streamed) return readStreamedReply(outcome.streamed);
    if (isTooLarge(outcome.reply)) throw internalServerError(502);
    return readProxyReply(outcome.reply, wantsBinary(request));
  };
}

const isTooLarge = (payload: string) => Buffer.byteLength(payload) > maxPayloadBytes;

/** The gateway waits no longer; what it waited for goes on regardless. */
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
