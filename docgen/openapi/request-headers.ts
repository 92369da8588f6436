import type { requestHeaders } from '../../shared/contract/headers.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import type { Parameter, Reference } from './openapi-types.ts';

/** Those that OpenAPI describes elsewhere, by the security scheme and the request body. */
type Elsewhere = 'Authorization' | 'Content-Type';

const entityTags = { type: 'string', minLength: 1 } as const;

/** The headers that some operations take as parameters. */
export const headerParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Your own name for this request. Repeated with the same body within a day it does nothing again and gets the first reply.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'An `ETag`: change the thing only if it is still in that state.',
    schema: entityTags,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description:
      'An `ETag` that you have: the reply is 304 and empty while the thing is in that state.',
    schema: entityTags,
  },
} as const satisfies Record<Exclude<(typeof requestHeaders)[number], Elsewhere>, Parameter>;

/**
 * References to the header parameters of an operation: each follows from what the operation may
 * answer.
 */
export function getHeaderParameters({ method, versioned, errors }: Operation): Reference[] {
  const own: [keyof typeof headerParameters, boolean][] = [
    ['Idempotency-Key', errors.includes('idempotency_key_reused')],
    ['If-Match', errors.includes('precondition_failed')],
    ['If-None-Match', method === 'GET' && versioned === true],
  ];
  return own
    .filter(([, present]) => present)
    .map(([name]) => ({ $ref: `#/components/parameters/${name}` }));
}
