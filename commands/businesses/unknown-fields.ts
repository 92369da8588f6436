import type { JSONPath } from 'jsonc-parser';
import { describeSchema } from '../../shared/contract/schema/describe-schema.ts';

/**
 * Returns the paths of the fields that the schema does not define. An object whose schema defines
 * no fields accepts any field.
 */
export function findUnknownFields(
  schema: unknown,
  value: unknown,
  path: JSONPath = [],
): JSONPath[] {
  const { item, fields } = describeSchema(schema);
  if (Array.isArray(value)) {
    return item ? value.flatMap((one, n) => findUnknownFields(item, one, [...path, n])) : [];
  }
  if (typeof value !== 'object' || value === null || !fields?.size) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const fieldPath = [...path, name];
    return fields.has(name) ? findUnknownFields(fields.get(name), inner, fieldPath) : [fieldPath];
  });
}
