import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as v from 'valibot';
import { createInternalServerError } from './request/gateway-error.ts';
import type { GatewayReply, Pairs } from './request/gateway-request.ts';

const HeaderValue = v.union([v.string(), v.number(), v.boolean()]);

const ProxyReply = v.object({
  statusCode: v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.transform(Number))]),
    v.integer(),
    v.minValue(200),
    v.maxValue(599),
  ),
  headers: v.nullish(v.record(v.string(), HeaderValue)),
  multiValueHeaders: v.nullish(v.record(v.string(), v.array(HeaderValue))),
  body: v.nullish(v.string()),
  isBase64Encoded: v.nullish(v.boolean()),
});

/** Headers of a function's reply that the gateway renames. */
const remapped = new Set(
  'authorization connection content-md5 date host server user-agent www-authenticate'.split(' '),
);
/** Headers of a function's reply that the gateway drops. */
const dropped = new Set(
  'content-length keep-alive transfer-encoding trailer te upgrade'.split(' '),
);

/** Parses a function's reply. Throws a 502 error if the reply is malformed. */
export function parseProxyReply(payload: string): GatewayReply {
  const parsed = v.safeParse(ProxyReply, JSON.parse(payload));
  if (!parsed.success) throw createMalformedReplyError();
  const { statusCode, headers, multiValueHeaders, body } = parsed.output;
  const replyHeaders = [
    ...Object.entries(headers ?? {})
      .filter(([name]) => !hasHeader(Object.keys(multiValueHeaders ?? {}), name))
      .map(([name, value]) => [name, value] as const),
    ...Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
      values.map((value) => [name, value] as const),
    ),
  ].filter(([name]) => !dropped.has(name.toLowerCase()));
  const forwardedHeaders: Pairs = replyHeaders.map(([name, value]) => [
    toForwardedName(name),
    String(value),
  ]);
  if (!forwardedHeaders.every(([name, value]) => isValid(name, value)))
    throw createMalformedReplyError();
  const hasContentType = hasHeader(
    forwardedHeaders.map(([name]) => name),
    'content-type',
  );
  return {
    status: statusCode,
    headers: hasContentType
      ? forwardedHeaders
      : [['Content-Type', 'application/json'], ...forwardedHeaders],
    body: body ?? '',
  };
}

const createMalformedReplyError = () => createInternalServerError(502);

const toForwardedName = (name: string) =>
  remapped.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;

const hasHeader = (names: string[], wanted: string) =>
  names.some((name) => name.toLowerCase() === wanted.toLowerCase());

function isValid(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
