import { shapeOf } from '../../shared/contract/shape.ts';

/** The names of the fields that a schema's objects may have. */
export const getFieldNames = (schema: unknown): string[] => [
  ...(shapeOf(schema).fields?.keys() ?? []),
];
