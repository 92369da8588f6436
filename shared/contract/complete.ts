import { isObject } from './objects.ts';
import { shapeOf } from './shape.ts';

/**
 * Adds missing fields of the schema's objects to a value: null for nullable fields, `[]` for lists.
 * An empty list becomes null if the field is nullable. Checks and removes nothing.
 */
export function complete(schema: unknown, value: unknown): unknown {
  const { nullable, type, item, fields } = shapeOf(schema);
  const isAbsent = value === undefined || value === null;
  if (type === 'array') {
    const list = isAbsent ? [] : value;
    if (!Array.isArray(list)) return value;
    return nullable && list.length === 0 ? null : list.map((one) => complete(item, one));
  }
  if (isAbsent && nullable) return null;
  if (!fields || !isObject(value)) return value;
  const given = new Map(Object.entries(value));
  const completed = [...fields].map(([name, field]) => [name, complete(field, given.get(name))]);
  return { ...value, ...Object.fromEntries(completed) };
}
