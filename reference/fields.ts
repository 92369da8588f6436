/** The JSON Schema keywords that the pages use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

/** A field or parameter. `fields` are the fields of an object or of a list's items. */
export interface Field {
  name: string;
  type: string;
  required: boolean;
  description: string;
  fields: readonly Field[];
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * The maximum timestamp, in Unix seconds. The pages do not repeat the range of timestamps for each
 * field.
 */
const maxTimestamp = 253_402_300_799;
const maxDepth = 2;

/**
 * Returns the fields of an object schema, or of a list's items. If the schema has variants, returns
 * the fields of all variants. A field is required if all variants require it. If the variants
 * define a field differently, omits its nested fields.
 */
export function toFields(schema: JsonSchema, schemas: Schemas, depth = 0): Field[] {
  const options = toOptions(schema, schemas).flatMap((option) => toObjects(option, schemas));
  const names = new Set(options.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => {
    const variants = toDistinct(options.flatMap(({ properties }) => properties?.[name] ?? []));
    const [first = {}] = variants;
    const { description = '' } = { ...resolve(first, schemas), ...first };
    return {
      name,
      type: describeType(variants.length > 1 ? { anyOf: variants } : first, schemas),
      required: options.every(({ required = [] }) => required.includes(name)),
      description,
      fields: depth < maxDepth && variants.length === 1 ? toFields(first, schemas, depth + 1) : [],
    };
  });
}

/**
 * Returns the first of each group of schemas that are equal except for null. Omits schemas that
 * allow only null, unless there are no others.
 */
function toDistinct(variants: readonly JsonSchema[]): JsonSchema[] {
  const notNull = variants.filter(({ type }) => type !== 'null');
  const shown = notNull.length > 0 ? notNull : variants;
  const toText = (one: JsonSchema) => JSON.stringify({ ...one, type: withoutNull(one) });
  return shown.filter(
    (one, index) => shown.findIndex((other) => toText(other) === toText(one)) === index,
  );
}

const withoutNull = ({ type }: JsonSchema) => [type].flat().filter((one) => one !== 'null');

const resolve = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

function toOptions(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const { anyOf, oneOf, ...own } = resolve(schema, schemas);
  const options = anyOf ?? oneOf;
  if (!options) return [own];
  return options
    .filter(({ type }) => type !== 'null')
    .flatMap((option) => toOptions(option, schemas));
}

const toObjects = (schema: JsonSchema, schemas: Schemas): JsonSchema[] =>
  schema.items ? toOptions(schema.items, schemas) : [schema];

/** Returns words such as `integer, 1 to 100, default 10`. */
function describeType(schema: JsonSchema, schemas: Schemas): string {
  const resolved = resolve(schema, schemas);
  const types = toOptions(schema, schemas).map((option) => describeOption(option, schemas));
  const named = [...new Set(types), ...(isNullable(schema, schemas) ? ['null'] : [])].join(' or ');
  const { default: value } = resolved;
  const hasDefault = value !== undefined && !Array.isArray(value);
  return hasDefault ? `${named}, default ${value}` : named;
}

function isNullable(schema: JsonSchema, schemas: Schemas): boolean {
  const { type, anyOf, oneOf } = resolve(schema, schemas);
  const options = anyOf ?? oneOf ?? [];
  return [type].flat().includes('null') || options.some((option) => isNullable(option, schemas));
}

function describeOption(schema: JsonSchema, schemas: Schemas): string {
  if (schema.enum) return schema.enum.length > 3 ? 'name' : schema.enum.join(' or ');
  const type = withoutNull(schema);
  if (type[0] === 'array') {
    const size = schema.maxItems ? `at most ${format(schema.maxItems)} ` : '';
    const items = describeType(schema.items ?? {}, schemas).replace(/^(object|string)\b/, '$1s');
    return `list of ${size}${items}`;
  }
  if (typeof schema.additionalProperties === 'object' && !schema.properties)
    return `map to ${describeType(schema.additionalProperties, schemas)}`;
  return [type[0] ?? 'value', describeRange(schema)].filter(Boolean).join(', ');
}

function describeRange({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  if (maxLength !== undefined)
    return `${format(minLength ?? 0)} to ${format(maxLength)} characters`;
  if (maximum !== undefined && maximum !== maxTimestamp)
    return `${format(minimum ?? 0)} to ${format(maximum)}`;
  return '';
}

const format = (value: number) => value.toLocaleString('en-US');
