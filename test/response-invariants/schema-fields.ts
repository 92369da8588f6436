import { describeSchema } from '../../shared/contract/schema/describe-schema.ts';

/** The names of the fields that a schema's objects may have. */
export const getFieldNames = (schema: unknown): string[] => [
  ...(describeSchema(schema).fields?.keys() ?? []),
];
