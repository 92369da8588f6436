import { describeSchema } from './describe-schema.ts';
import { isObject } from './objects.ts';

/**
 * Adds missing fields at all levels: null for nullable fields, `[]` for other lists. Replaces empty
 * nullable lists with null. Does not validate the value, and removes no fields.
 */
export function fillMissingFields(schema: unknown, value: unknown): unknown {
  const { nullable, type, item, fields } = describeSchema(schema);
  const isAbsent = value === undefined || value === null;
  if (type === 'array') {
    const list = isAbsent ? [] : value;
    if (!Array.isArray(list)) return value;
    return nullable && list.length === 0 ? null : list.map((one) => fillMissingFields(item, one));
  }
  if (isAbsent && nullable) return null;
  if (!fields || !isObject(value)) return value;
  const presentFields = new Map(Object.entries(value));
  const completed = [...fields].map(([name, field]) => [
    name,
    fillMissingFields(field, presentFields.get(name)),
  ]);
  return { ...value, ...Object.fromEntries(completed) };
}
