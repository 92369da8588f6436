import type {
  ConversionConfig,
  JsonSchema,
  OverrideActionContext,
  OverrideSchemaContext,
} from '@valibot/to-json-schema';
import { withAnyRequired } from './any-required.ts';

/**
 * How the contract's valibot schemas become JSON schemas as OpenAPI 3.1 has them. What JSON Schema
 * cannot say and is not foreseen here is an error: the document never promises less than the
 * contract in silence.
 */
export const conversion = {
  target: 'draft-2020-12',
  // Of several schemas in a pipe the last one tells the shape; those before it only guard.
  typeMode: 'output',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideSchema,
  overrideAction,
} as const satisfies ConversionConfig;

/**
 * The same without defaults, which a body's fields need not tell: generators take a field that has
 * one for always there, and would have it sent.
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
      return { type: typeOfConst(jsonSchema.const), ...jsonSchema };
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
    // JSON Schema counts a string's length in code points.
    case 'min_code_points':
      return { ...jsonSchema, minLength: requirementOf(action) };
    case 'max_code_points':
      return { ...jsonSchema, maxLength: requirementOf(action) };
    // A rule that only code can tell: its message does, where it is half a sentence as in
    // shared/contract/schema/field-types.ts.
    case 'check':
      return { ...jsonSchema, ...description(jsonSchema.description, ruleOf(action)) };
    case 'regex':
      return { ...jsonSchema, ...unescapeSlashes(jsonSchema.pattern) };
    case 'metadata':
      return withAnyRequired(jsonSchema, action);
    // Rules between fields are told by the fields' descriptions.
    case 'raw_check':
    case 'partial_check':
      return jsonSchema;
    // What goes in is what a client needs to know.
    case 'transform':
      return jsonSchema;
    default:
      return undefined;
  }
}

/**
 * `type: [X, null]` where the type stands alone; behind a reference or beside an enum it takes an
 * `anyOf`.
 */
function withNullType({ anyOf, ...others }: JsonSchema): JsonSchema {
  const inner = anyOf?.[0];
  return typeof inner === 'object' && typeof inner.type === 'string' && !inner.enum
    ? { ...others, ...inner, type: [inner.type, 'null'] }
    : { ...others, ...(anyOf && { anyOf }) };
}

function typeOfConst(value: JsonSchema['const']): 'boolean' | 'number' | 'string' {
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'number' ? 'number' : 'string';
}

const withoutEmptyRequired = ({ required, ...others }: JsonSchema): JsonSchema =>
  required?.length ? { ...others, required } : others;

/**
 * A generator that writes a pattern between slashes escapes those within by itself, and the escaped
 * ones once more.
 */
const unescapeSlashes = (pattern?: string): Pick<JsonSchema, 'pattern'> =>
  pattern === undefined
    ? {}
    : {
        pattern: pattern.replace(/\\(.)/gs, (both, escaped) => (escaped === '/' ? escaped : both)),
      };

function requirementOf(action: object): number {
  if ('requirement' in action && typeof action.requirement === 'number') return action.requirement;
  throw new Error('A limit of the contract is not a number.');
}

/** must not be blank → Must not be blank. */
function ruleOf(action: object): string | undefined {
  const message = 'message' in action ? action.message : undefined;
  return typeof message === 'string' && message.startsWith('must ')
    ? `M${message.slice(1)}.`
    : undefined;
}

const description = (...sentences: (string | undefined)[]): Pick<JsonSchema, 'description'> => {
  const present = sentences.filter((sentence) => sentence !== undefined);
  return present.length > 0 ? { description: present.join(' ') } : {};
};
