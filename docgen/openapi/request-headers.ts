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
      'A unique key of your choice for this request. If you repeat it with the same key and body within a day, the service replays the first reply without further effect.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'An `ETag`. The change is applied only if the resource still has this state.',
    schema: entityTags,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description:
      'An `ETag` from an earlier reply. If the resource still has this state, the reply is 304 without a body.',
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
