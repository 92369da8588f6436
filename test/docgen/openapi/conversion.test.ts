import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { convertSchema } from '../../../docgen/openapi/schemas.ts';
import { Message } from '../../../shared/contract/resources/message.ts';
import { text } from '../../../shared/contract/schema/field-types.ts';

describe('In the OpenAPI document', () => {
  test('a string has its length limits and a description of the rules that JSON Schema cannot express', () => {
    const schema = v.pipe(
      text(1, 20),
      v.check(() => true, 'must not be blank'),
    );
    expect(convertSchema(schema)).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 20,
      description: 'Must be well-formed Unicode. Must not be blank.',
    });
  });

  test('a nullable field has null as a type', () => {
    const schema = v.object({
      name: v.nullish(v.pipe(v.string(), v.description('What it is called.'))),
      message: v.nullable(Message),
    });
    expect(convertSchema(schema)).toEqual({
      type: 'object',
      properties: {
        name: { type: ['string', 'null'], description: 'What it is called.' },
        message: { anyOf: [{ $ref: '#/components/schemas/Message' }, { type: 'null' }] },
      },
      required: ['message'],
    });
  });

  test('a default is documented, and the field is optional', () => {
    expect(convertSchema(v.object({ limit: v.optional(v.number(), 10) }))).toEqual({
      type: 'object',
      properties: { limit: { type: 'number', default: 10 } },
    });
  });

  test('a constant has its type and value', () => {
    expect(convertSchema(v.strictObject({ deleted: v.literal(true) }))).toEqual({
      type: 'object',
      properties: { deleted: { type: 'boolean', const: true } },
      required: ['deleted'],
      additionalProperties: false,
    });
  });

  test('a loose object accepts additional properties', () => {
    expect(convertSchema(v.looseObject({}))).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: true,
    });
  });

  test('a transformed value has its input type', () => {
    const schema = v.pipe(
      v.union([v.string(), v.array(v.string())]),
      v.transform((names) => new Set(names)),
    );
    expect(convertSchema(schema)).toEqual({
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    });
  });

  test('a pattern has unescaped slashes, because generators escape them', () => {
    expect(convertSchema(v.pipe(v.string(), v.regex(/^https?:\/\/\S+\\$/)))).toEqual({
      type: 'string',
      pattern: '^https?://\\S+\\\\$',
    });
  });

  test('a rule that requires one of two fields becomes an `anyOf` with one object per required field', () => {
    const text = { type: 'string', minLength: 1 };
    const textOrNull = { type: ['string', 'null'], minLength: 1 };
    const Text = v.pipe(v.string(), v.nonEmpty());
    const schema = v.pipe(
      v.object({ a: v.nullish(Text), b: v.nullish(Text), c: Text }),
      v.metadata({ anyRequired: ['a', 'b'] }),
    );
    expect(convertSchema(schema)).toEqual({
      anyOf: [
        { type: 'object', properties: { a: text, b: textOrNull, c: text }, required: ['c', 'a'] },
        { type: 'object', properties: { a: textOrNull, b: text, c: text }, required: ['c', 'b'] },
      ],
    });
  });

  test('a schema that cannot be converted causes an error', () => {
    expect(() => convertSchema(v.date())).toThrow('"date" schema cannot be converted');
  });
});
