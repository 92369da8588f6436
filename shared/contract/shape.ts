import type { GenericSchema } from 'valibot';
import { isObject } from './objects.ts';

/** What a schema's values look like, as far as one can tell without a value. */
export interface Shape {
  /** Null is one of them. */
  nullable: boolean;
  type: string;
  /** The schema of a list's items. */
  item?: unknown;
  /** The schemas of an object's fields, by their names. */
  fields?: ReadonlyMap<string, unknown>;
  /** The schema of all fields of an object whose names are free. */
  value?: unknown;
  /** Of a union, the schemas that a value may follow. */
  options?: readonly unknown[];
}

/**
 * Of schemas one after the other in a pipe the last one tells; what is no schema is of the type
 * `unknown`.
 */
export function shapeOf(schema: unknown): Shape {
  if (!isSchema(schema)) return { nullable: false, type: 'unknown' };
  if ('pipe' in schema && Array.isArray(schema.pipe)) {
    return shapeOf(schema.pipe.findLast(isSchema));
  }
  const { type } = schema;
  if ('wrapped' in schema) {
    const shape = shapeOf(schema.wrapped);
    return { ...shape, nullable: shape.nullable || type === 'nullable' || type === 'nullish' };
  }
  return {
    nullable: false,
    type,
    ...('item' in schema && { item: schema.item }),
    ...('entries' in schema &&
      isObject(schema.entries) && { fields: new Map(Object.entries(schema.entries)) }),
    ...('value' in schema && { value: schema.value }),
    ...('options' in schema &&
      type === 'union' &&
      Array.isArray(schema.options) && { options: schema.options }),
  };
}

export const isSchema = (value: unknown): value is GenericSchema =>
  isObject(value) && 'kind' in value && value.kind === 'schema';
