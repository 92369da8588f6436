/** The subset of JSON Schema that openapi.json uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
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

/** The maximum timestamp. The pages do not repeat the range of timestamps for each field. */
const maxTimestamp = 253_402_300_799;
const maxDepth = 2;

/**
 * Returns the fields of an object schema, or of a list's items. If the schema has variants,
 * describes a field as in the first variant in which it is not always null. A field is required if
 * all variants require it.
 */
export function toFields(schema: JsonSchema, schemas: Schemas, depth = 0): Field[] {
  const options = toOptions(schema, schemas).map((option) => toObject(option, schemas));
  const properties = new Map<string, JsonSchema>();
  for (const [name, field] of options.flatMap((one) => Object.entries(one.properties ?? {}))) {
    const known = properties.get(name);
    if (!known || known.type === 'null') properties.set(name, field);
  }
  return [...properties].map(([name, field]) => {
    const resolved = resolve(field, schemas);
    return {
      name,
      type: describeType(field, schemas),
      required: options.every(({ required = [] }) => required.includes(name)),
      description: field.description ?? resolved.description ?? '',
      fields: depth < maxDepth ? toFields(field, schemas, depth + 1) : [],
    };
  });
}

const resolve = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

function toOptions(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const { anyOf, ...own } = resolve(schema, schemas);
  if (!anyOf) return [own];
  return anyOf
    .filter(({ type }) => type !== 'null')
    .flatMap((option) => toOptions(option, schemas));
}

const toObject = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  schema.items ? resolve(schema.items, schemas) : schema;

/** Returns words such as `integer, 1 to 100, default 10`. */
function describeType(schema: JsonSchema, schemas: Schemas): string {
  const resolved = resolve(schema, schemas);
  const types = toOptions(schema, schemas).map((option) => describeOption(option, schemas));
  const isNullable =
    resolved.anyOf?.some(({ type }) => type === 'null') || [resolved.type].flat().includes('null');
  const named = [...new Set(types), ...(isNullable ? ['null'] : [])].join(' or ');
  const { default: value } = resolved;
  const hasDefault = value !== undefined && !Array.isArray(value);
  return hasDefault ? `${named}, default ${value}` : named;
}

function describeOption(schema: JsonSchema, schemas: Schemas): string {
  if (schema.enum) return schema.enum.length > 3 ? 'name' : schema.enum.join(' or ');
  const type = [schema.type].flat().filter((one) => one !== 'null');
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
