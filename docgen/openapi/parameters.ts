import * as v from 'valibot';
import type { Parameter } from './openapi-types.ts';
import { convertSchema, getFields, resolveReference } from './schemas.ts';

const Values = v.record(v.string(), v.unknown());

export function toParameters(
  location: 'path' | 'query',
  schema: v.GenericSchema | undefined,
  example: unknown,
): Parameter[] {
  if (!schema) return [];
  const json = convertSchema(schema);
  const required = resolveReference(json).required ?? [];
  const values = v.parse(Values, example ?? {});
  return getFields(json).map(([name, { description, ...field }]) => ({
    name,
    in: location,
    ...(field.type === 'array' && ({ name: `${name}[]`, style: 'form', explode: true } as const)),
    ...(required.includes(name) && { required: true }),
    description: description ?? describe(name),
    schema: field,
    ...(name in values && { example: values[name] }),
  }));
}

/**
 * Describes an id such as `message_id`. Throws for other parameters, which need a description in
 * the contract.
 */
function describe(name: string): string {
  const [, resource] = /^(\w+)_id$/.exec(name) ?? [];
  if (resource) return `The id of the ${resource}.`;
  throw new Error(`Parameter '${name}' has no v.description in shared/contract.`);
}
