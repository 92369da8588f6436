import { type exposedHeaders, fixedHeaders } from '../../../shared/contract/headers.ts';
import { hasLocation, type Operation } from '../../../shared/contract/operation.ts';
import type { Header, Reference } from '../openapi-types.ts';

const text = { type: 'string' } as const;

/** All response headers. A header of the contract that is missing here causes a type error. */
export const replyHeaders = {
  'Request-Id': {
    description: 'Identifies this request. Include it when you report a problem.',
    required: true,
    schema: text,
  },
  'Service-Version': {
    description: 'The version of the API that responded (<https://semver.org>).',
    required: true,
    // Matches any version: a client generated from one version may call a stage of another version.
    schema: { ...text, pattern: '^\\d+\\.\\d+\\.\\d+' },
  },
  'Cache-Control': {
    description: 'Replies are private to the caller: caches must not store them.',
    required: true,
    schema: { ...text, const: fixedHeaders['Cache-Control'] },
  },
  'X-Content-Type-Options': {
    description: 'Browsers must not guess another content type.',
    required: true,
    schema: { ...text, const: fixedHeaders['X-Content-Type-Options'] },
  },
  'Strict-Transport-Security': {
    description: 'Browsers must use HTTPS.',
    required: true,
    schema: { ...text, const: fixedHeaders['Strict-Transport-Security'] },
  },
  'Access-Control-Allow-Origin': {
    description: 'The web origin whose pages may read the reply, or `*`; absent for other origins.',
    schema: text,
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that a web page may read.',
    required: true,
    schema: { ...text, const: fixedHeaders['Access-Control-Expose-Headers'] },
  },
  Vary: { description: '`Origin`, if the reply depends on it.', schema: text },
  Location: {
    description: 'The URL of the created resource, or of the file.',
    required: true,
    schema: { ...text, format: 'uri' },
  },
  ETag: {
    description: 'Identifies the state of the resource, for `If-Match` and `If-None-Match`.',
    required: true,
    schema: { ...text, pattern: '^"[^"]+"$' },
  },
  Link: {
    description:
      'The URLs of the next page (`rel="next"`) and the previous one (`rel="prev"`), if they exist.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description:
      'Present if this reply replays that of an earlier request with the same `Idempotency-Key`.',
    schema: { ...text, const: 'true' },
  },
  'Retry-After': {
    description: 'Seconds to wait before repeating the request.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme (RFC 6750).',
    required: true,
    schema: text,
  },
} as const satisfies Record<
  | (typeof exposedHeaders)[number]
  | keyof typeof fixedHeaders
  | 'Access-Control-Allow-Origin'
  | 'Vary'
  | 'WWW-Authenticate',
  Header
>;

export type ReplyHeader = keyof typeof replyHeaders;

const commonHeaders: ReplyHeader[] = [
  'Request-Id',
  'Service-Version',
  'Cache-Control',
  'X-Content-Type-Options',
  'Strict-Transport-Security',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Vary',
];

/** Returns references to the given headers and to the headers of every reply. */
export const toHeaderReferences = (headers: ReplyHeader[]): Record<string, Reference> =>
  Object.fromEntries(
    [...commonHeaders, ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

/** Returns the headers that this operation's successful replies add to the common headers. */
export function getSuccessHeaders(row: Operation): ReplyHeader[] {
  const { versioned, list, errors } = row;
  const candidates: [ReplyHeader, boolean][] = [
    ['Location', hasLocation(row)],
    ['ETag', versioned === true],
    ['Link', list === true],
    ['Idempotent-Replayed', errors.includes('idempotency_key_reused')],
  ];
  return candidates.filter(([, present]) => present).map(([name]) => name);
}
