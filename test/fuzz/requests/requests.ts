import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import fc, { seed } from '../../support/setup/fast-check.ts';
import { tooLargeBody } from '../values/hostile-body.ts';
import { nearlyValidRequest, validRequest } from './good-requests.ts';
import { hostileRequest } from './hostile-requests.ts';
import type { RequestTemplate } from './request-template.ts';

/** Weights of operations. Default: 1. */
const weights: Record<string, number> = {
  'messages/send': 5,
  'conversations/create': 3,
  'messages/update': 3,
  'conversations/update': 3,
  'attachments/create': 2,
  'attachments/retrieve': 2,
  'messages/list': 2,
  'conversations/list': 2,
};

const rows: readonly Operation[] = operations;

/** Generates a request with a random method. Half of the requests have an unusual path. */
const elsewhere = (row: Operation): fc.Arbitrary<RequestTemplate> =>
  fc
    .tuple(
      fc.oneof(validRequest(row), hostileRequest(row)),
      fc.constantFrom(
        'GET',
        'POST',
        'PUT',
        'DELETE',
        'PATCH',
        'HEAD',
        'OPTIONS',
        'PROPFIND',
        'FOO',
      ),
      fc.oneof(
        fc.constant(undefined),
        fc.constantFrom(
          ...['/', '/v1', '/v1/', '//v1/messages', '/v1//messages', '/V1/messages', '/v2/messages'],
          ...['/v1/messages/', '/v1/messages/|message:0|/', '/v1/messages/|message:0|/reactions'],
          ...[
            '/v1/conversations/|conversation:0|/messages',
            '/v1/messages/..',
            '/v1/business/x',
            '*',
          ],
          ...['/v1/%6dessages', '/v1/messages%2f|message:0|', '/__proto__', '/v1/constructor', ''],
          ...[
            '/v1/messages;a=b',
            '/v1/messages#a',
            '/a b',
            '/\u00ff',
            '/v1/messages\u0000',
            '/%00',
          ],
          ...['http://elsewhere.example/v1/messages', '/{unknown+}', '/v1/messages/{message_id}'],
        ),
      ),
    )
    .map(([template, method, path]) => ({
      ...template,
      method,
      intent: 'hostile' as const,
      ...(path !== undefined && { path }),
    }));

export const requestsTo = (row: Operation): fc.Arbitrary<RequestTemplate> =>
  fc.oneof(
    { arbitrary: validRequest(row), weight: 8 },
    { arbitrary: nearlyValidRequest(row), weight: 6 },
    { arbitrary: hostileRequest(row), weight: 9 },
    { arbitrary: elsewhere(row), weight: 1 },
  );

export const requests: fc.Arbitrary<RequestTemplate> = fc.oneof(
  ...rows.map((row) => ({ arbitrary: requestsTo(row), weight: weights[row.id] ?? 1 })),
);

/**
 * One oversized request for each operation that accepts a body, because random requests may miss an
 * operation.
 */
export const tooLargeRequests: readonly RequestTemplate[] = rows
  .filter(({ errors }) => errors.includes('body_too_large'))
  .flatMap((row) => fc.sample(validRequest(row), { numRuns: 1, seed }))
  .map((template) => ({
    ...template,
    intent: 'hostile',
    body: { kind: 'bytes', contentType: 'application/json', bytes: tooLargeBody },
  }));
