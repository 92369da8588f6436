import type { JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

const Metadata = v.object({
  metadata: v.object({
    anyRequired: v.optional(v.array(v.string())),
    conflicts: v.optional(v.record(v.string(), v.array(v.string()))),
    isOpen: v.optional(v.boolean()),
  }),
});
type SchemaWithRules = JsonSchema & v.InferOutput<typeof Metadata>['metadata'];

/**
 * Applies the contract's metadata to a schema. `anyRequired` becomes a choice of objects. Each
 * object requires one field and excludes one side of each conflict. The objects repeat all fields,
 * because some generators do not support an `anyOf` with only `required` next to `properties`.
 * `isOpen` lets an enum accept unknown strings.
 */
export function withMetadata(json: JsonSchema, action: object): JsonSchema {
  if (!v.is(Metadata, action)) return json;
  const { anyRequired: names, conflicts: pairs = {}, isOpen: isOpenEnum } = action.metadata;
  // The conversion has copied the metadata into the schema.
  const { anyRequired, conflicts, isOpen, ...schema }: SchemaWithRules = json;
  if (isOpenEnum) {
    const { description, ...known } = schema;
    return { ...(description && { description }), anyOf: [known, { type: 'string' }] };
  }
  if (!names) return json;
  const { properties = {}, required = [], ...others } = schema;
  return {
    anyOf: names.map((name) => ({
      ...others,
      properties: {
        ...properties,
        ...withoutConflicts(properties, pairs, name),
        [name]: withoutNull(properties[name]),
      },
      required: [...required, name],
    })),
  };
}

/**
 * Returns schemas that exclude one side of each conflict. For each entry of `conflicts`, excludes
 * the key if its list contains `required`; otherwise, excludes the fields in the list.
 */
function withoutConflicts(
  properties: NonNullable<JsonSchema['properties']>,
  conflicts: Readonly<Record<string, readonly string[]>>,
  required: string,
): NonNullable<JsonSchema['properties']> {
  const isExcluded = (name: string) => conflicts[name]?.includes(required) ?? false;
  const excluded = Object.entries(conflicts).flatMap(([name, counterparts]) =>
    isExcluded(name) ? [name] : counterparts,
  );
  return Object.fromEntries(excluded.map((name) => [name, toExcluded(properties[name])]));
}

function toExcluded(json: JsonSchema | boolean | undefined): JsonSchema {
  const schema = toObject(json);
  return schema.type === 'boolean' ? { ...schema, const: false } : { type: 'null' };
}

const toObject = (json: JsonSchema | boolean | undefined): JsonSchema =>
  typeof json === 'object' ? json : {};

function withoutNull(json: JsonSchema | boolean | undefined): JsonSchema {
  if (typeof json !== 'object' || !Array.isArray(json.type)) {
    throw new Error('Each field of `anyRequired` must be nullable and have a type.');
  }
  const [type, ...others] = json.type.filter((one) => one !== 'null');
  return type && others.length === 0 ? { ...json, type } : { ...json, type: json.type };
}
