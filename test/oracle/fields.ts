import { shapeOf } from '../../shared/contract/complete.ts';

/** The names of the fields that a schema's objects may have. */
export const fieldsOf = (schema: unknown): string[] => Object.keys(shapeOf(schema).entries ?? {});
