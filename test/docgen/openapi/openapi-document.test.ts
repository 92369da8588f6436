import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { createOpenApiDocument } from '../../../docgen/openapi/openapi-document.ts';
import { type ErrorCode, errorCatalog, getStatuses } from '../../../shared/contract/errors.ts';
import {
  getSuccessStatuses,
  type Operation,
  sharedErrors,
} from '../../../shared/contract/operation.ts';
import * as contract from '../../../shared/contract/operations.ts';

const Response = v.object({
  headers: v.record(v.string(), v.unknown()),
  content: v.optional(v.object({ 'application/json': v.object({ schema: v.unknown() }) })),
});
const ErrorSchema = v.object({
  allOf: v.tuple([
    v.object({ $ref: v.string() }),
    v.object({ properties: v.object({ code: v.object({ enum: v.array(v.string()) }) }) }),
  ]),
});

const rows: readonly Operation[] = contract.operations;
const document = createOpenApiDocument('1.2.3');

const getOperation = ({ path, method }: Operation) => {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not in the document.`);
  return operation;
};

const replies = (row: Operation) =>
  Object.entries(getOperation(row).responses).map(([status, reply]) => {
    const shared =
      '$ref' in reply ? document.components.responses?.[reply.$ref.split('/')[3] ?? ''] : reply;
    return { status: Number(status), ...v.parse(Response, shared) };
  });

const listErrors = (row: Operation): ErrorCode[] => [...row.errors, ...sharedErrors];

describe('The OpenAPI document', () => {
  test('has exactly the operations of the contract', () => {
    const inDocument = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method, path]),
    );
    const { operations, ...named } = contract;
    const inContract = Object.entries(named).map(([name, { method, path }]) => [
      name,
      method.toLowerCase(),
      path,
    ]);
    expect(inDocument.sort()).toEqual(inContract.sort());
    expect(inContract).toHaveLength(operations.length);
  });

  test('has a server URL without variables, because some generators do not support them', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['http://127.0.0.1:3000']);
  });

  test.each(rows.map((row) => [row.id, row] as const))('has every status of %s', (_, row) => {
    const statuses = new Set<number>([
      ...getSuccessStatuses(row),
      ...(row.method === 'GET' && row.versioned ? [304] : []),
      ...listErrors(row).flatMap(getStatuses),
    ]);
    expect(replies(row).map(({ status }) => status)).toEqual([...statuses].sort());
  });

  test.each(rows.map((row) => [row.id, row] as const))('has every error code of %s', (_, row) => {
    const codes = replies(row)
      .filter(({ status }) => status >= 400)
      .flatMap(
        ({ content }) =>
          v.parse(ErrorSchema, content?.['application/json'].schema).allOf[1].properties.code.enum,
      );
    expect([...new Set(codes)].sort()).toEqual(listErrors(row).sort());
  });

  test('has the common and the specific headers of every reply', () => {
    const commonHeaders = [
      'Request-Id',
      'Service-Version',
      'Cache-Control',
      'X-Content-Type-Options',
      'Strict-Transport-Security',
      'Access-Control-Allow-Origin',
      'Access-Control-Expose-Headers',
      'Vary',
    ];
    const own = Object.fromEntries(
      rows.map((row) => [
        row.id,
        Object.fromEntries(
          replies(row).map(({ status, headers }) => [
            status,
            Object.keys(headers).filter((name) => !commonHeaders.includes(name)),
          ]),
        ),
      ]),
    );
    expect(own).toMatchObject({
      'messages/send': {
        201: ['Location', 'ETag', 'Idempotent-Replayed'],
        400: [],
        401: ['WWW-Authenticate'],
      },
      'messages/list': { 200: ['Link'], 429: ['Retry-After'], 500: [], 503: ['Retry-After'] },
      'messages/retrieve': { 200: ['ETag'], 304: ['ETag'], 404: [] },
    });
    for (const { headers } of rows.flatMap(replies)) {
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(commonHeaders));
    }
  });

  test('lists every error code, and explains each response’s codes', () => {
    const { schemas, responses } = document.components;
    expect(schemas?.ErrorCode?.anyOf).toEqual([
      { type: 'string', enum: Object.keys(errorCatalog) },
      { type: 'string' },
    ]);
    expect(schemas?.ErrorReply?.properties?.code).toEqual({
      $ref: '#/components/schemas/ErrorCode',
    });
    expect(responses?.RequestHeaderFieldsTooLarge?.description).toBe(
      '- `request_invalid`: The headers of the request exceed 10 KB in total.',
    );
  });

  test('distinguishes Business and CamelBusiness by their required fields', () => {
    const { Business, CamelBusiness } = document.components.schemas ?? {};
    for (const [one, field, other] of [
      [Business, 'public_id', CamelBusiness],
      [CamelBusiness, 'publicId', Business],
    ] as const) {
      expect(one?.required).toContain(field);
      expect(other?.additionalProperties).toBe(false);
      expect(Object.keys(other?.properties ?? {})).not.toContain(field);
    }
  });

  test('uses named schemas for all request and reply bodies', () => {
    const inPlace = rows.flatMap((row) => {
      const { requestBody, responses } = getOperation(row);
      const reply = v.parse(Response, responses[row.status]).content?.['application/json'].schema;
      const sent = requestBody?.content['application/json']?.schema;
      return [sent, reply]
        .filter((schema) => schema !== undefined)
        .filter((schema) => !JSON.stringify(schema).includes('"$ref":"#/components/schemas/'))
        .map(() => row.id);
    });
    expect(inPlace).toEqual([]);
  });
});
