import type { JsonSchema } from '@valibot/to-json-schema';

type Schema = JsonSchema | boolean;

/** Returns a schema as a TypeScript type. Throws if the schema has no type or an unknown one. */
export function toTypeScript(schema: Schema, indent = ''): string {
  if (typeof schema === 'boolean') return 'unknown';
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return toUnion(choices.map((choice) => toTypeScript(choice, indent)));
  if (schema.const !== undefined) return toLiteral(schema.const);
  if (schema.enum) return toUnion(schema.enum.map(toLiteral));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) throw new Error(`The schema has no type: ${JSON.stringify(schema)}`);
  return toUnion(types.map((type) => toSingleType(type, schema, indent)));
}

function toSingleType(type: string, schema: JsonSchema, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return toArrayType(schema, indent);
    case 'object':
      return toObjectType(schema, indent);
    default:
      throw new Error(`The schema's type is unknown: ${JSON.stringify(schema)}`);
  }
}

function toArrayType({ items }: JsonSchema, indent: string): string {
  const item = toTypeScript(Array.isArray(items) ? { anyOf: items } : (items ?? true), indent);
  return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
}

function toObjectType(schema: JsonSchema, indent: string): string {
  const { properties = {}, required = [], additionalProperties: others = false } = schema;
  const inner = `${indent}  `;
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...toDocComment(typeof field === 'object' ? field.description : undefined, inner),
    `${inner}${toField(toKey(name), toTypeScript(field, inner), required.includes(name))}`,
  ]);
  if (others !== false) fields.push(`${inner}[name: string]: ${toTypeScript(others, inner)};`);
  return fields.length === 0 ? 'Record<string, never>' : ['{', ...fields, `${indent}}`].join('\n');
}

/** Returns the declaration of a field. Optional fields accept `undefined`. */
export const toField = (name: string, type: string, isRequired: boolean): string =>
  isRequired ? `${name}: ${type};` : `${name}?: ${type} | undefined;`;

export const toDocComment = (text: string | undefined, indent = ''): string[] =>
  text === undefined ? [] : [`${indent}/** ${text.replaceAll('*/', '*\\/')} */`];

const toKey = (name: string) => (/^\w+$/.test(name) ? name : toLiteral(name));
const toLiteral = (value: unknown) => JSON.stringify(value).replaceAll(/^"|"$/g, "'");

/**
 * Returns a union. If it has literals, writes `string` as `string & {}`, so that editors still
 * suggest the literals.
 */
const toUnion = (types: string[]) => {
  const isOpen = types.includes('string') && types.some((type) => type.startsWith("'"));
  const members = types.map((type) => (isOpen && type === 'string' ? '(string & {})' : type));
  return [...new Set(members)].join(' | ');
};
