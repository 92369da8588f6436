import type { GenericSchema } from 'valibot';
import { isObject } from './objects.ts';

/** Type of a schema's values, as far as the schema shows. */
export interface SchemaDescription {
  /** Null is allowed. */
  nullable: boolean;
  type: string;
  /** Schema of list items. */
  item?: unknown;
  /** Schemas of an object's fields, by name. */
  fields?: ReadonlyMap<string, unknown>;
  /** Schema of all fields of an object with free names. */
  value?: unknown;
  /** Alternatives of a union. */
  options?: readonly unknown[];
}

/**
 * Returns the shape of a schema. The last schema of a pipe counts; a value that is not a schema has
 * the type `unknown`.
 */
export function describeSchema(schema: unknown): SchemaDescription {
  if (!isSchema(schema)) return { nullable: false, type: 'unknown' };
  if ('pipe' in schema && Array.isArray(schema.pipe)) {
    return describeSchema(schema.pipe.findLast(isSchema));
  }
  const { type } = schema;
  if ('wrapped' in schema) {
    const shape = describeSchema(schema.wrapped);
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
