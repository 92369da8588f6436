import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { toParameters } from '../../../docgen/openapi/parameters.ts';
import { getHeaderParameters } from '../../../docgen/openapi/request-headers.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { listMessages, retrieveMessage } from '../../../shared/contract/operations.ts';

describe('The parameters of an operation', () => {
  test('in the query have descriptions, limits and defaults', () => {
    expect(toParameters('query', listMessages.query, { limit: 25 })).toEqual(
      expect.arrayContaining([
        {
          name: 'limit',
          in: 'query',
          description: expect.stringMatching(/^Maximum items per page. A page may have fewer/),
          schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
          example: 25,
        },
      ]),
    );
  });

  test('in the path are required, and ids get a generated description', () => {
    expect(toParameters('path', retrieveMessage.pathParameters, { message_id: 'M1' })).toEqual([
      {
        name: 'message_id',
        in: 'path',
        required: true,
        description: 'The id of the message.',
        schema: { type: 'string', minLength: 1 },
        example: 'M1',
      },
    ]);
  });

  test('without a description cause an error', () => {
    expect(() => toParameters('query', v.object({ muted: v.boolean() }), {})).toThrow(
      "Parameter 'muted' has no v.description in shared/contract.",
    );
  });

  test.each<[string, Partial<Operation>, string[]]>([
    [
      'a versioned GET',
      { method: 'GET', versioned: true, errors: ['not_found'] },
      ['If-None-Match'],
    ],
    [
      'a versioned PUT',
      { method: 'PUT', versioned: true, errors: ['precondition_failed'] },
      ['If-Match'],
    ],
    [
      'an idempotent POST',
      { method: 'POST', errors: ['idempotency_key_reused'] },
      ['Idempotency-Key'],
    ],
    ['a plain POST', { method: 'POST', versioned: true, errors: [] }, []],
  ])('of %s include exactly the headers that the operation supports', (_, difference, names) => {
    const row: Operation = { ...retrieveMessage, ...difference };
    expect(getHeaderParameters(row)).toEqual(
      names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    );
  });
});
