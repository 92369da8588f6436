import type { Operation } from '../../../shared/contract/operation.ts';
import fc from '../../support/setup/fast-check.ts';
import { invalidCredential, validCredential } from '../values/credentials.ts';
import type { Header } from '../values/hostile-headers.ts';
import { nearlyValidFor } from '../values/nearly-valid-values.ts';
import { placeholder } from '../values/placeholders.ts';
import { validFor } from '../values/valid-values.ts';
import type { Body, RequestTemplate } from './request-template.ts';

const resourceOf = ({ id }: Operation) => id.split('/')[0] ?? '';
const contextOf = (row: Operation) => ({ name: '', resource: resourceOf(row) });
/** Generates the operation's path parameters, at most two. */
const pathFor = (row: Operation, generate: typeof validFor) => {
  const [, first, between = '', second] = /\{(\w+)\}(?:(.*)\{(\w+)\})?/.exec(row.path) ?? [];
  if (!first || !row.pathParameters) return fc.constant(undefined);
  return generate(row.pathParameters, contextOf(row)).map((value) => {
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

const queryFor = (row: Operation, generate: typeof validFor) =>
  row.query ? generate(row.query, contextOf(row)).map(fieldsOf) : fc.constant({});

export const bodyFor = (row: Operation, generate: typeof validFor): fc.Arbitrary<Body> => {
  if (!row.body) return fc.constant({ kind: 'none' });
  const kind = fc.constantFrom<'json' | 'form'>('json', 'json', 'form');
  return fc.record({ kind, fields: generate(row.body, contextOf(row)) }, { noNullPrototype: true });
};

/** Generates no header, or one conditional or idempotency header that the operation supports. */
const fittingHeaders = (row: Operation): fc.Arbitrary<Header[]> => {
  const alternatives: fc.Arbitrary<Header[]>[] = [];
  const tag = fc.oneof(placeholder('etag'), placeholder('etag'), fc.constant('"outdated"'));
  if (row.versioned && row.method === 'GET')
    alternatives.push(tag.map((etag) => [['If-None-Match', etag]]));
  if (row.errors.includes('precondition_failed'))
    alternatives.push(tag.map((etag) => [['If-Match', etag]]));
  if (row.repeatable) {
    alternatives.push(fc.nat(25).map((n) => [['Idempotency-Key', `key ${n}`]]));
  }
  return fc.oneof({ arbitrary: fc.constant<Header[]>([]), weight: 2 }, ...alternatives);
};

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

/** Generates an otherwise valid request with invalid credentials or one nearly valid part. */
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
