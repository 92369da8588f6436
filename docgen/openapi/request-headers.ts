import type { requestHeaders } from '../../shared/contract/headers.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import type { Parameter, Reference } from './openapi-types.ts';

/** Headers that OpenAPI describes elsewhere, in the security scheme and the request body. */
type OmittedHeader = 'Authorization' | 'Content-Type';

const entityTags = { type: 'string', minLength: 1 } as const;

export const headerParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique key of your choice for this request. Repeating it with the same body within a day has no further effect and returns the first reply.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'An `ETag`: apply the change only if the resource still has this state.',
    schema: entityTags,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description:
      'An `ETag` that you have: the reply is 304 without a body while the resource has this state.',
    schema: entityTags,
  },
} as const satisfies Record<Exclude<(typeof requestHeaders)[number], OmittedHeader>, Parameter>;

export function getHeaderParameters({ method, versioned, errors }: Operation): Reference[] {
  const candidates: [keyof typeof headerParameters, boolean][] = [
    ['Idempotency-Key', errors.includes('idempotency_key_reused')],
    ['If-Match', errors.includes('precondition_failed')],
    ['If-None-Match', method === 'GET' && versioned === true],
  ];
  return candidates
    .filter(([, present]) => present)
    .map(([name]) => ({ $ref: `#/components/parameters/${name}` }));
}
