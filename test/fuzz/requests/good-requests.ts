import type { Operation } from '../../../shared/contract/operation.ts';
import fc from '../../support/setup/fast-check.ts';
import { invalidCredential, validCredential } from '../values/credentials.ts';
import type { Header } from '../values/hostile-headers.ts';
import { nearlyValidFor } from '../values/nearly-valid-values.ts';
import { placeholder } from '../values/placeholders.ts';
import { validFor } from '../values/valid-values.ts';
import type { Body, RequestTemplate } from './request-template.ts';

const resourceOf = ({ id }: Operation) => id.split('/')[0] ?? '';
const placeIn = (row: Operation) => ({ name: '', resource: resourceOf(row) });
/** Generates the operation's path parameters, at most two, from its schema. */
const pathFor = (row: Operation, make: typeof validFor) => {
  const [, first, between = '', second] = /\{(\w+)\}(?:(.*)\{(\w+)\})?/.exec(row.path) ?? [];
  if (!first || !row.pathParameters) return fc.constant(undefined);
  return make(row.pathParameters, placeIn(row)).map((value) => {
    const fields = fieldsOf(value);
    return {
      value: String(fields[first] ?? ''),
      raw: false,
      ...(second && { more: { between, value: String(fields[second] ?? '') } }),
    };
  });
};

export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const queryFor = (row: Operation, make: typeof validFor) =>
  row.query ? make(row.query, placeIn(row)).map(fieldsOf) : fc.constant({});

export const bodyFor = (row: Operation, make: typeof validFor): fc.Arbitrary<Body> => {
  if (!row.body) return fc.constant({ kind: 'none' });
  const kind = fc.constantFrom<'json' | 'form'>('json', 'json', 'form');
  return fc.record({ kind, fields: make(row.body, placeIn(row)) }, { noNullPrototype: true });
};

/**
 * Generates headers of a valid request: none, or one of If-None-Match, If-Match and Idempotency-Key
 * if the operation supports it.
 */
const fittingHeaders = (row: Operation): fc.Arbitrary<Header[]> => {
  const some: fc.Arbitrary<Header[]>[] = [];
  const tag = fc.oneof(placeholder('etag'), placeholder('etag'), fc.constant('"outdated"'));
  if (row.versioned && row.method === 'GET')
    some.push(tag.map((etag) => [['If-None-Match', etag]]));
  if (row.errors.includes('precondition_failed'))
    some.push(tag.map((etag) => [['If-Match', etag]]));
  if (row.repeatable) {
    some.push(fc.nat(25).map((n) => [['Idempotency-Key', `key ${n}`]]));
  }
  return fc.oneof({ arbitrary: fc.constant<Header[]>([]), weight: 2 }, ...some);
};

/** Generates a valid request. */
export const validRequest = (row: Operation): fc.Arbitrary<RequestTemplate> =>
  fc.record(
    {
      row: fc.constant(row),
      intent: fc.constant('valid' as const),
      credential: validCredential,
      method: fc.constant(row.method),
      segment: pathFor(row, validFor),
      query: queryFor(row, validFor),
      headers: fittingHeaders(row),
      body: bodyFor(row, validFor),
      chunked: fc.boolean(),
    },
    { noNullPrototype: true },
  );

/** Generates a valid request with one fault: invalid credentials or one nearly valid part. */
export const nearlyValidRequest = (row: Operation): fc.Arbitrary<RequestTemplate> => {
  const parts: fc.Arbitrary<Partial<RequestTemplate>>[] = [
    invalidCredential.map((credential) => ({ credential })),
  ];
  if (row.pathParameters) {
    const path = pathFor(row, nearlyValidFor).map((segment) => ({ segment }));
    parts.push(path, path, path);
  }
  if (row.query) parts.push(queryFor(row, nearlyValidFor).map((query) => ({ query })));
  if (row.body) {
    const body = bodyFor(row, nearlyValidFor).map((one) => ({ body: one }));
    parts.push(body, body, body);
  }
  return fc
    .tuple(validRequest(row), fc.oneof(...parts))
    .map(([template, part]) => ({ ...template, ...part, intent: 'nearly' as const }));
};
