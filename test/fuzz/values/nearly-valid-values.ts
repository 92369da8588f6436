import type { GenericSchema } from 'valibot';
import fc from '../../support/setup/fast-check.ts';
import { wrongIdPlaceholder } from './placeholders.ts';
import { getBound, getPattern, hasRule, isOptional, type Shape, toShape } from './schema-shape.ts';
import { type FieldContext, validFor } from './valid-values.ts';

/**
 * Generates values with one violation of the schema: a limit exceeded by one, a different type, a
 * missing field or a wrong id.
 */
export function nearlyValidFor(schema: GenericSchema, place: FieldContext): fc.Arbitrary<unknown> {
  const shape = toShape(schema);
  if (shape.type !== 'object' && shape.type !== 'loose_object')
    return nearlyValidValue(schema, place);
  return fc
    .tuple(validFor(schema, place), objectMutations(shape, place))
    .map(([value, spoil]) => spoil(typeof value === 'object' && value !== null ? value : {}));
}

type Mutation = (value: object) => object;

/** Generates mutations that make one field invalid or remove a required field. */
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

/**
 * Generates a value of a wrong type or outside a limit. For an id field, also generates wrong ids.
 */
function nearlyValidValue(schema: unknown, place: FieldContext): fc.Arbitrary<unknown> {
  const shape = toShape(schema);
  const isId = /_id$|_after$|_before$|_from$/.test(place.name);
  return fc.oneof(
    { arbitrary: otherTypes, weight: 1 },
    { arbitrary: outOfBounds(shape, place), weight: 2 },
    ...(isId ? [{ arbitrary: wrongIdPlaceholder(place.name, place.resource), weight: 4 }] : []),
  );
}

const otherTypes = fc.constantFrom<unknown>(
  ...[null, true, false, 0, -1, 42, 1.5, '', 'text', 'true', '42', 'null', [], [null], [['a']]],
  ...[{}, { a: 1 }, [{}], [[]]],
);

function outOfBounds(shape: Shape, place: FieldContext): fc.Arbitrary<unknown> {
  const { type, rules, wrapped, options, item, value } = shape;
  switch (type) {
    case 'optional':
    case 'nullable':
    case 'nullish':
      return outOfBounds(toShape(wrapped), place);
    case 'union':
      return fc.oneof(...options.map((option) => outOfBounds(toShape(option), place)));
    case 'array': {
      const most = getBound(shape, 'max_length');
      const tooMany = most === undefined ? [] : [fc.constant(Array(most + 1).fill({}))];
      return fc.oneof(
        nearlyValidValue(item, place).map((bad) => [bad]),
        ...tooMany,
      );
    }
    case 'record':
      return fc.oneof(
        fc.tuple(nameFaults(shape.key), fc.constant(['|me:0|'])).map(asObject),
        fc.tuple(fc.constant('ok'), nearlyValidValue(value, place)).map(asObject),
      );
    case 'object':
    case 'loose_object':
      return objectMutations(shape, place).map((spoil) => spoil({}));
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
  const [least, most] = [getBound(shape, 'min_value'), getBound(shape, 'max_value')];
  const faults: unknown[] = [
    ...(longest === undefined ? [] : ['x'.repeat(longest + 1), '🎉'.repeat(longest + 1)]),
    ...(least === undefined ? [] : [least - 1]),
    ...(most === undefined ? [] : [most + 1]),
    ...(hasRule(shape, 'integer') ? [1.5, '1.0', '1e1', '01'] : []),
    ...(hasRule(shape, 'url') ? ['http://example.com/a', 'https://', '//x', 'javascript:0'] : []),
    ...(hasRule(shape, 'url') ? ['https://example.com/\u202e', 'https://example.com/a b'] : []),
    ...(getPattern(shape) ? ['a b', 'a#b', 'ä', 'a/b', 'x'.repeat(129), 'a\u0000'] : []),
    ...['', ' ', '\u0000', '\u200b\u2800\u00ad'],
  ];
  return [fc.constantFrom(...faults)];
}
