import { type exposedHeaders, fixedHeaders } from '../../../shared/contract/headers.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import type { Header, Reference } from '../openapi-types.ts';

const text = { type: 'string' } as const;

/**
 * Every header that a reply may carry. One that the contract names and this list does not is a type
 * error.
 */
export const replyHeaders = {
  'Request-Id': {
    description: 'Names this request. Tell it when you report a fault.',
    required: true,
    schema: text,
  },
  'Service-Version': {
    description: 'The version of the API that answers (<https://semver.org>).',
    required: true,
    // Whichever it is: a client that was made for one version may ask another.
    schema: { ...text, pattern: '^\\d+\\.\\d+\\.\\d+' },
  },
  'Cache-Control': {
    description: 'Replies are private to the caller: nothing on the way may keep them.',
    required: true,
    schema: { ...text, const: fixedHeaders['Cache-Control'] },
  },
  'X-Content-Type-Options': {
    description: 'The content type is what it says.',
    required: true,
    schema: { ...text, const: fixedHeaders['X-Content-Type-Options'] },
  },
  'Strict-Transport-Security': {
    description: 'Browsers ask by TLS only.',
    required: true,
    schema: { ...text, const: fixedHeaders['Strict-Transport-Security'] },
  },
  'Access-Control-Allow-Origin': {
    description:
      'The web origin whose pages may read the reply, or `*`; absent for one that may not.',
    schema: text,
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that a web page may read.',
    required: true,
    schema: { ...text, const: fixedHeaders['Access-Control-Expose-Headers'] },
  },
  Vary: { description: '`Origin`, where the reply depends on it.', schema: text },
  Location: {
    description: 'The address of what was created.',
    required: true,
    schema: { ...text, format: 'uri' },
  },
  ETag: {
    description: 'Names the state of the thing, for `If-Match` and `If-None-Match`.',
    required: true,
    schema: { ...text, pattern: '^"[^"]+"$' },
  },
  Link: {
    description:
      'The addresses of the page that follows (`rel="next"`) and of the one before (`rel="prev"`), where there is one.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: 'On a reply given again because its `Idempotency-Key` was seen before.',
    schema: { ...text, const: 'true' },
  },
  'Retry-After': {
    description: 'Seconds to wait before repeating the request.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
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

const onEveryReply: ReplyHeader[] = [
  'Request-Id',
  'Service-Version',
  'Cache-Control',
  'X-Content-Type-Options',
  'Strict-Transport-Security',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Vary',
];

/** References to the headers of a reply: those that every reply has, and its own. */
export const toHeaderReferences = (own: ReplyHeader[]): Record<string, Reference> =>
  Object.fromEntries(
    [...onEveryReply, ...own].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

/** The headers that only a successful reply of this operation has. */
export function getSuccessHeaders({ status, versioned, list, errors }: Operation): ReplyHeader[] {
  const own: [ReplyHeader, boolean][] = [
    ['Location', status === 201],
    ['ETag', versioned === true],
    ['Link', list === true],
    ['Idempotent-Replayed', errors.includes('idempotency_key_reused')],
  ];
  return own.filter(([, present]) => present).map(([name]) => name);
}
