import type { JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

type Carried = JsonSchema & { anyRequired?: unknown };
const Rule = v.object({ metadata: v.object({ anyRequired: v.array(v.string()) }) });

/**
 * Where the contract says `anyRequired` of an object, a choice of objects, each of which has
 * another one of these fields for certain. Spelled out, as not every generator reads a choice of
 * `required` beside the fields.
 */
export function withAnyRequired(json: JsonSchema, action: object): JsonSchema {
  if (!v.is(Rule, action)) return json;
  // The conversion carries over what it does not know.
  const { anyRequired, properties = {}, required = [], ...others }: Carried = json;
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
    throw new Error('Only of fields with a type, or null, one can be required.');
  }
  const [type, ...others] = json.type.filter((one) => one !== 'null');
  return type && others.length === 0 ? { ...json, type } : { ...json, type: json.type };
}
