import type { GenericSchema } from 'valibot';
import fc from '../../support/setup/fast-check.ts';
import { wrongIdPlaceholder } from './placeholders.ts';
import { getBound, getPattern, hasRule, isOptional, type Shape, toShape } from './schema-shape.ts';
import { type FieldContext, validFor } from './valid-values.ts';

/**
 * Generates values with one violation of the schema: a limit exceeded by one, a different type, a
 * missing field or a wrong id.
 */
export function nearlyValidFor(schema: GenericSchema, field: FieldContext): fc.Arbitrary<unknown> {
  const shape = toShape(schema);
  if (shape.type !== 'object' && shape.type !== 'loose_object')
    return nearlyValidValue(schema, field);
  return fc
    .tuple(validFor(schema, field), objectMutations(shape, field))
    .map(([value, spoil]) => spoil(typeof value === 'object' && value !== null ? value : {}));
}

type Mutation = (value: object) => object;

function objectMutations({ entries }: Shape, { resource }: FieldContext): fc.Arbitrary<Mutation> {
  const required = entries.flatMap(([name, schema]) => (isOptional(schema) ? [] : [name]));
  const wrong = entries.map(([name, schema]) =>
    nearlyValidValue(schema, { name, resource }).map(
      (bad): Mutation =>
        (value) => ({ ...value, [name]: bad }),
    ),
  );
  const missing = required.map((name) =>
    fc.constant<Mutation>((value) =>
      Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)),
    ),
  );
  return fc.oneof(...wrong, ...missing);
}

function nearlyValidValue(schema: unknown, field: FieldContext): fc.Arbitrary<unknown> {
  const shape = toShape(schema);
  const isId = /_id$|_after$|_before$|_from$/.test(field.name);
  return fc.oneof(
    { arbitrary: otherTypes, weight: 1 },
    { arbitrary: outOfBounds(shape, field), weight: 2 },
    ...(isId ? [{ arbitrary: wrongIdPlaceholder(field.name, field.resource), weight: 4 }] : []),
  );
}

const otherTypes = fc.constantFrom<unknown>(
  ...[null, true, false, 0, -1, 42, 1.5, '', 'text', 'true', '42', 'null', [], [null], [['a']]],
  ...[{}, { a: 1 }, [{}], [[]]],
);

function outOfBounds(shape: Shape, field: FieldContext): fc.Arbitrary<unknown> {
  const { type, rules, wrapped, options, item, value } = shape;
  switch (type) {
    case 'optional':
    case 'nullable':
    case 'nullish':
      return outOfBounds(toShape(wrapped), field);
    case 'union':
      return fc.oneof(...options.map((option) => outOfBounds(toShape(option), field)));
    case 'array': {
      const max = getBound(shape, 'max_length');
      const tooMany = max === undefined ? [] : [fc.constant(Array(max + 1).fill({}))];
      return fc.oneof(
        nearlyValidValue(item, field).map((bad) => [bad]),
        ...tooMany,
      );
    }
    case 'record':
      return fc.oneof(
        fc.tuple(nameFaults(shape.key), fc.constant(['|me:0|'])).map(asObject),
        fc.tuple(fc.constant('ok'), nearlyValidValue(value, field)).map(asObject),
      );
    case 'object':
    case 'loose_object':
      return objectMutations(shape, field).map((spoil) => spoil({}));
    case 'picklist':
      return fc.constantFrom(...options).map((option) => `${option}x`);
    default:
      return rules.length > 0 ? fc.oneof(...scalarFaults(shape)) : otherTypes;
  }
}

const nameFaults = (schema: unknown) =>
  fc.oneof(
    ...scalarFaults(toShape(schema)),
    fc.constantFrom('a\u0000b', 'a[b', ']', '\u200b', 'a\u202eb', 'a\u2028'),
  );

const asObject = ([name, value]: [unknown, unknown]) => ({ [String(name)]: value });

function scalarFaults(shape: Shape): fc.Arbitrary<unknown>[] {
  const longest = getBound(shape, 'max_code_points');
  const [min, max] = [getBound(shape, 'min_value'), getBound(shape, 'max_value')];
  const faults: unknown[] = [
    ...(longest === undefined ? [] : ['x'.repeat(longest + 1), '🎉'.repeat(longest + 1)]),
    ...(min === undefined ? [] : [min - 1]),
    ...(max === undefined ? [] : [max + 1]),
    ...(hasRule(shape, 'integer') ? [1.5, '1.0', '1e1', '01'] : []),
    ...(hasRule(shape, 'url') ? ['http://example.com/a', 'https://', '//x', 'javascript:0'] : []),
    ...(hasRule(shape, 'url') ? ['https://example.com/\u202e', 'https://example.com/a b'] : []),
    ...(getPattern(shape) ? ['a b', 'a#b', 'ä', 'a/b', 'x'.repeat(129), 'a\u0000'] : []),
    ...['', ' ', '\u0000', '\u200b\u2800\u00ad'],
  ];
  return [fc.constantFrom(...faults)];
}
