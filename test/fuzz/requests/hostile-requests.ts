import type { Operation } from '../../../shared/contract/operation.ts';
import fc from '../../support/setup/fast-check.ts';
import { hostileQuery, hostileSegment } from '../values/hostile-address.ts';
import { contentType, hostileBody, hostileForm, largeBody } from '../values/hostile-body.ts';
import { hostileHeaders } from '../values/hostile-headers.ts';
import { hostileMap, hostileText, hostileValue } from '../values/hostile-values.ts';
import { toShape } from '../values/schema-shape.ts';
import { validFor } from '../values/valid-values.ts';
import { bodyFor, fieldsOf, validRequest } from './good-requests.ts';
import type { RequestTemplate } from './request-template.ts';

/** Generates an otherwise valid request with one or two hostile parts. */
export const hostileRequest = (row: Operation): fc.Arbitrary<RequestTemplate> => {
  const parts: fc.Arbitrary<Partial<RequestTemplate>>[] = [
    hostileQuery.map((query) => ({ query })),
    hostileHeaders.map((headers) => ({ headers })),
    fc
      .oneof(hostileBody, hostileForm)
      .chain((bytes) =>
        contentType.map((type) => ({ body: { kind: 'bytes' as const, contentType: type, bytes } })),
      ),
    fc.oneof({ arbitrary: hostileBody, weight: 2 }, largeBody).map((bytes) => ({
      body: { kind: 'bytes' as const, contentType: 'application/json', bytes },
    })),
  ];
  if (row.pathParameters) {
    parts.push(hostileSegment.map((value) => ({ segment: { value, raw: true } })));
    parts.push(hostileText.map((value) => ({ segment: { value, raw: false } })));
  }
  if (row.query) {
    const names = namesOf(row.query);
    parts.push(
      fc.dictionary(names, hostileText, { minKeys: 1, maxKeys: 2 }).map((query) => ({ query })),
    );
  }
  if (row.body) {
    const body = strangeFields(row);
    parts.push(body, body, body);
    parts.push(
      hostileForm.map((bytes) => ({
        body: { kind: 'bytes', contentType: 'application/x-www-form-urlencoded', bytes },
      })),
    );
  }
  return fc
    .tuple(validRequest(row), fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 2 }))
    .map(([template, changes]) => ({
      ...Object.assign({}, template, ...changes),
      intent: 'hostile' as const,
    }));
};

const strangeValue = fc.oneof(hostileValue, hostileText, hostileMap);

/** Generates a body with one or two hostile fields, with or without valid fields. */
function strangeFields(row: Operation): fc.Arbitrary<Partial<RequestTemplate>> {
  const wrong = [
    ...Object.entries(fieldsOf(fieldsOf(row.body).entries)).map(([name, schema]) =>
      (holdsMaps(schema)
        ? fc.oneof({ arbitrary: hostileMap, weight: 4 }, strangeValue)
        : strangeValue
      ).map((value) => ({ [name]: value })),
    ),
    fc.tuple(hostileText, strangeValue).map((pair) => Object.fromEntries([pair])),
  ];
  const fields = fc
    .array(fc.oneof(...wrong), { minLength: 1, maxLength: 2 })
    .map((parts) => Object.assign({}, ...parts));
  return fc
    .tuple(bodyFor(row, validFor), fields, fc.boolean())
    .map(([good, bad, isAlone]): Partial<RequestTemplate> => {
      if (!('fields' in good)) return {};
      return { body: { ...good, fields: { ...(isAlone ? {} : fieldsOf(good.fields)), ...bad } } };
    });
}

/** Reports whether values of the schema may be maps with arbitrary keys. */
const holdsMaps = (schema: unknown): boolean => {
  const { type, wrapped, options } = toShape(schema);
  return (
    type === 'record' ||
    [wrapped, ...options].some((inner) => typeof inner === 'object' && holdsMaps(inner))
  );
};

const namesOf = (schema: unknown) =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...entryNames(schema)), weight: 6 },
    { arbitrary: hostileText, weight: 1 },
  );

const entryNames = (schema: unknown): string[] => Object.keys(fieldsOf(fieldsOf(schema).entries));
