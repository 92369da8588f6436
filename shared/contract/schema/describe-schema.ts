import type { GenericSchema } from 'valibot';
import { isObject } from './objects.ts';

export interface SchemaDescription {
  readonly nullable: boolean;
  readonly type: string;
  readonly item?: unknown;
  readonly fields?: ReadonlyMap<string, unknown>;
  readonly value?: unknown;
  readonly options?: readonly unknown[];
}

const descriptions = new WeakMap<GenericSchema, SchemaDescription>();

/**
 * Returns the shape of a schema; for a pipe, of its last schema. If the value is not a schema, the
 * type is `unknown`.
 */
export function describeSchema(schema: unknown): SchemaDescription {
  if (!isSchema(schema)) return { nullable: false, type: 'unknown' };
  const known = descriptions.get(schema);
  if (known) return known;
  const description = toDescription(schema);
  descriptions.set(schema, description);
  return description;
}

function toDescription(schema: GenericSchema): SchemaDescription {
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
