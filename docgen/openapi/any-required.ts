import type { JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

type SchemaWithRule = JsonSchema & { anyRequired?: unknown };
const AnyRequiredRule = v.object({ metadata: v.object({ anyRequired: v.array(v.string()) }) });

/**
 * Returns a schema in which `anyRequired` of the contract becomes a choice of objects, each
 * requiring another one of these fields. Spelled out, because not every generator supports a choice
 * of `required` next to the fields.
 */
export function withAnyRequired(json: JsonSchema, action: object): JsonSchema {
  if (!v.is(AnyRequiredRule, action)) return json;
  // The conversion copies unknown keywords.
  const { anyRequired, properties = {}, required = [], ...others }: SchemaWithRule = json;
  return {
    anyOf: action.metadata.anyRequired.map((name) => ({
      ...others,
      properties: { ...properties, [name]: withoutNull(properties[name]) },
      required: [...required, name],
    })),
  };
}

function withoutNull(json: JsonSchema | boolean | undefined): JsonSchema {
  if (typeof json !== 'object' || !Array.isArray(json.type)) {
    throw new Error('Only fields with a type, or null, can be required.');
  }
  const [type, ...others] = json.type.filter((one) => one !== 'null');
  return type && others.length === 0 ? { ...json, type } : { ...json, type: json.type };
}
