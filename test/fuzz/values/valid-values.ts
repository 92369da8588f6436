import * as v from 'valibot';
import { reservedNames } from '../../../shared/contract/schema/objects.ts';
import fc from '../../support/setup/fast-check.ts';
import { contentBytes, fileContents, toSha256 } from './file-contents.ts';
import { likelyFields, likelyPlaceholder } from './placeholders.ts';
import { getBound, getPattern, hasRule, isOptional, type Shape, toShape } from './schema-shape.ts';

export interface FieldContext {
  name: string;
  resource: string;
}

export function validFor(schema: v.GenericSchema, field: FieldContext): fc.Arbitrary<unknown> {
  return validValue(schema, field).filter((value) => v.is(schema, value));
}

function validValue(schema: unknown, field: FieldContext): fc.Arbitrary<unknown> {
  const shape = toShape(schema);
  switch (shape.type) {
    case 'string':
      return texts(shape, field);
    case 'number':
      return numbers(shape, field);
    case 'boolean':
      return fc.boolean();
    case 'picklist':
      return fc.constantFrom(...shape.options);
    case 'optional':
      return validValue(shape.wrapped, field);
    case 'nullable':
    case 'nullish':
      return fc.option(validValue(shape.wrapped, field), { freq: 4 });
    case 'union':
      return fc.oneof(...shape.options.map((option) => validValue(option, field)));
    case 'array':
      return fc.array(validValue(shape.item, field), {
        maxLength: Math.min(getBound(shape, 'max_length') ?? 3, 3),
      });
    case 'record':
      return dictionary(textsOf(shape.key), validValue(shape.value, field));
    case 'object':
      return objects(shape, field.resource);
    case 'loose_object': {
      const others = dictionary(fc.string(), fc.jsonValue());
      const likely = likelyFields(field.name, field.resource);
      return fc
        .tuple(objects(shape, field.resource), likely ? fc.oneof(others, likely) : others)
        .map(([known, more]) => ({ ...more, ...known }));
    }
    default:
      throw new Error(`The generator does not support schemas of type ${shape.type}.`);
  }
}

const objects = ({ entries }: Shape, resource: string) =>
  fc.record(
    Object.fromEntries(
      entries.map(([name, schema]) => [name, validValue(schema, { name, resource })]),
    ),
    {
      requiredKeys: entries.flatMap(([name, schema]) => (isOptional(schema) ? [] : [name])),
      noNullPrototype: true,
    },
  );

const dictionary = (key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true }).filter(hasNoReservedName);

/**
 * Reports whether the value contains no reserved name. The API rejects reserved names, and
 * fast-check often generates them.
 */
const hasNoReservedName = (value: unknown): boolean =>
  !reservedNames.some((name) => JSON.stringify(value).includes(JSON.stringify(name)));

const textsOf = (schema: unknown) => texts(toShape(schema), { name: '', resource: '' });

function texts(shape: Shape, { name, resource }: FieldContext): fc.Arbitrary<string> {
  const likely = likelyPlaceholder(name, resource);
  const pattern = getPattern(shape);
  if (likely) return likely;
  if (name === 'sha256') return fc.constantFrom(...fileContents.map(toSha256));
  if (hasRule(shape, 'url'))
    return fc.webUrl({ validSchemes: ['https'], withQueryParameters: true });
  if (pattern) return fc.stringMatching(pattern);
  const min = getBound(shape, 'min_code_points') ?? (hasRule(shape, 'non_empty') ? 1 : 0);
  const max = getBound(shape, 'max_code_points');
  const short = fc.string({ unit: 'grapheme', minLength: min, maxLength: min + 12 });
  if (max === undefined) return short;
  return fc.oneof(
    { arbitrary: short, weight: 8 },
    fc.constantFrom('x', '🎉').map((one) => one.repeat(max)),
  );
}

function numbers(shape: Shape, { name, resource }: FieldContext): fc.Arbitrary<number> {
  const min = getBound(shape, 'min_value') ?? -1e9;
  const max = getBound(shape, 'max_value') ?? 1e9;
  const between = hasRule(shape, 'integer')
    ? fc.integer({ min: 0, max: Math.min(max - min, 2 ** 31 - 1) }).map((n) => min + n)
    : fc.double({ min, max, noNaN: true });
  const any = fc.oneof({ arbitrary: between, weight: 4 }, fc.constantFrom(min, max));
  // Generates mostly small sizes, because a person may upload at most 1 GB per day.
  if (name === 'size' && resource === 'attachments')
    return fc.oneof({ arbitrary: fc.constant(contentBytes), weight: 9 }, fc.constant(min), any);
  return any;
}
