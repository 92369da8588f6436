import type {
  ConversionConfig,
  JsonSchema,
  OverrideActionContext,
  OverrideSchemaContext,
} from '@valibot/to-json-schema';
import { withDiscriminator } from './discriminator.ts';
import { withMetadata } from './metadata.ts';

/**
 * Conversion of valibot schemas to the JSON Schema of OpenAPI 3.1. Throws an error for an
 * unsupported rule, so that the document does not omit the rule by mistake.
 */
export const conversion = {
  target: 'draft-2020-12',
  // The last schema of a pipe describes the type; the earlier schemas are only guards.
  typeMode: 'output',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideSchema,
  overrideAction,
} as const satisfies ConversionConfig;

/**
 * Same as `conversion`, but without the defaults of body fields, because generated clients would
 * always send a field that has a default.
 */
export const withoutDefaults = {
  ...conversion,
  overrideSchema: (context: OverrideSchemaContext) => {
    const { default: _, ...json } = overrideSchema(context) ?? {};
    return context.errors ? undefined : json;
  },
} as const satisfies ConversionConfig;

function overrideSchema({
  valibotSchema,
  jsonSchema,
  errors,
}: OverrideSchemaContext): JsonSchema | undefined {
  if (errors) return undefined;
  switch (valibotSchema.type) {
    case 'nullable':
    case 'nullish':
      return withNullType(jsonSchema);
    case 'literal':
      return { type: getConstType(jsonSchema.const), ...jsonSchema };
    case 'variant':
      return withDiscriminator(jsonSchema, valibotSchema);
    case 'loose_object':
      return { ...withoutEmptyRequired(jsonSchema), additionalProperties: true };
    default:
      return withoutEmptyRequired(jsonSchema);
  }
}

function overrideAction({
  valibotAction: action,
  jsonSchema,
}: OverrideActionContext): JsonSchema | undefined {
  switch (action.type) {
    // JSON Schema counts the length of strings in code points.
    case 'min_code_points':
      return { ...jsonSchema, minLength: getRequirement(action) };
    case 'max_code_points':
      return { ...jsonSchema, maxLength: getRequirement(action) };
    // A check whose message begins with `must` adds the message to the description: see
    // shared/contract/schema/field-types.ts.
    case 'check':
      return { ...jsonSchema, ...description(jsonSchema.description, toRule(action)) };
    case 'regex':
      return { ...jsonSchema, ...unescapeSlashes(jsonSchema.pattern) };
    case 'metadata':
      return withMetadata(jsonSchema, action);
    // The fields' descriptions explain rules that involve several fields.
    case 'raw_check':
    case 'partial_check':
      return jsonSchema;
    // Clients need the type before the transformation.
    case 'transform':
      return jsonSchema;
    default:
      return undefined;
  }
}

/** Returns `type: [X, null]` for a single type; references and enums require `anyOf`. */
function withNullType({ anyOf, ...others }: JsonSchema): JsonSchema {
  const inner = anyOf?.[0];
  return typeof inner === 'object' && typeof inner.type === 'string' && !inner.enum
    ? { ...others, ...inner, type: [inner.type, 'null'] }
    : { ...others, ...(anyOf && { anyOf }) };
}

function getConstType(value: JsonSchema['const']): 'boolean' | 'number' | 'string' {
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'number' ? 'number' : 'string';
}

const withoutEmptyRequired = ({ required, ...others }: JsonSchema): JsonSchema =>
  required?.length ? { ...others, required } : others;

/** Unescapes slashes. Generators that write patterns between slashes escape slashes themselves. */
const unescapeSlashes = (pattern?: string): Pick<JsonSchema, 'pattern'> =>
  pattern === undefined
    ? {}
    : {
        pattern: pattern.replace(/\\(.)/gs, (match, escaped) =>
          escaped === '/' ? escaped : match,
        ),
      };

function getRequirement(action: object): number {
  if ('requirement' in action && typeof action.requirement === 'number') return action.requirement;
  throw new Error('A limit of the contract is not a number.');
}

/** Converts "must not be blank" to "Must not be blank." */
function toRule(action: object): string | undefined {
  const message = 'message' in action ? action.message : undefined;
  return typeof message === 'string' && message.startsWith('must ')
    ? `M${message.slice(1)}.`
    : undefined;
}

const description = (...sentences: (string | undefined)[]): Pick<JsonSchema, 'description'> => {
  const present = sentences.filter((sentence) => sentence !== undefined);
  return present.length > 0 ? { description: present.join(' ') } : {};
};
