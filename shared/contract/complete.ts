import type { GenericSchema } from 'valibot';
import { isObject } from './objects.ts';

/**
 * Gives a value every field that the schema's objects have: null where it may be null, `[]` where it is a list. An
 * empty list where null may stand becomes null. Nothing is checked, and nothing is taken away.
 */
export function complete(schema: unknown, value: unknown): unknown {
  const { nullable, type, item, entries } = shapeOf(schema);
  const isAbsent = value === undefined || value === null;
  if (type === 'array') {
    const list = isAbsent ? [] : value;
    if (!Array.isArray(list)) return value;
    return nullable && list.length === 0 ? null : list.map((one) => complete(item, one));
  }
  if (isAbsent && nullable) return null;
  if (!entries || !isObject(value)) return value;
  const given = new Map(Object.entries(value));
  const fields = Object.entries(entries).map(([name, field]) => [
    name,
    complete(field, given.get(name)),
  ]);
  return { ...value, ...Object.fromEntries(fields) };
}

interface Shape {
  nullable: boolean;
  type: string;
  /** The schema of a list's items. */
  item?: unknown;
  /** The schemas of an object's fields. */
  entries?: object;
}

/** What a schema's values look like. Of schemas one after the other in a pipe the last one tells. */
export function shapeOf(schema: unknown): Shape {
  if (!isSchema(schema)) return { nullable: false, type: 'unknown' };
  if ('pipe' in schema && Array.isArray(schema.pipe)) {
    return shapeOf(schema.pipe.findLast(isSchema));
  }
  if (schema.type === 'nullable' && 'wrapped' in schema) {
    return { ...shapeOf(schema.wrapped), nullable: true };
  }
  return {
    nullable: false,
    type: schema.type,
    ...('item' in schema && { item: schema.item }),
    ...('entries' in schema && isObject(schema.entries) && { entries: schema.entries }),
  };
}

const isSchema = (value: unknown): value is GenericSchema =>
  isObject(value) && 'kind' in value && value.kind === 'schema';
