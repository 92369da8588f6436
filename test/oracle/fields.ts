import { shapeOf } from '../../shared/contract/shape.ts';

/** The names of the fields that a schema's objects may have. */
export const fieldsOf = (schema: unknown): string[] => [...(shapeOf(schema).fields?.keys() ?? [])];
