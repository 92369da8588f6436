import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import { type GatewayReply, type GatewayRequest, getHeader } from './request/gateway-request.ts';

/** Encodings that API Gateway supports. */
const encoders = { gzip: promisify(gzip), deflate: promisify(deflate) };

/**
 * Compresses a reply if the client accepts gzip or deflate, and the reply has at least
 * `minimumBytes` and no `Content-Encoding`. Like API Gateway, adds no `Vary` and keeps the ETag.
 *
 * @see
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gzip-compression-decompression.html
 */
export async function compressReply(
  request: GatewayRequest,
  reply: GatewayReply,
  minimumBytes: number | undefined,
): Promise<GatewayReply> {
  const encoding = negotiateEncoding(getHeader(request, 'accept-encoding'));
  const isEncoded = reply.headers.some(([name]) => name.toLowerCase() === 'content-encoding');
  if (minimumBytes === undefined || encoding === undefined || isEncoded) return reply;
  if (Buffer.byteLength(reply.body) < minimumBytes) return reply;
  return {
    ...reply,
    headers: [...reply.headers, ['Content-Encoding', encoding]],
    body: await encoders[encoding](reply.body),
  };
}

/**
 * Returns the supported encoding with the highest weight. If `*` or an unsupported encoding has a
 * higher weight, returns `undefined`, as API Gateway documents.
 */
function negotiateEncoding(accepted = ''): keyof typeof encoders | undefined {
  const codings = accepted
    .toLowerCase()
    .split(',')
    .map((one) => {
      const [name = '', ...parameters] = one.split(';').map((part) => part.trim());
      const weight = parameters.find((part) => part.startsWith('q='))?.slice('q='.length);
      return { name, weight: weight === undefined ? 1 : Number(weight) };
    });
  const highest = Math.max(...codings.map(({ weight }) => weight));
  if (!(highest > 0)) return undefined;
  const preferred = codings.filter(({ weight }) => weight === highest).map(({ name }) => name);
  return (['gzip', 'deflate'] as const).find((name) => preferred.includes(name));
}
