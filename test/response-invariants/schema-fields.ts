import { describeSchema } from '../../shared/contract/schema/describe-schema.ts';

/** Returns the field names that the schema's objects may have. */
export const getFieldNames = (schema: unknown): string[] => [
  ...(describeSchema(schema).fields?.keys() ?? []),
];
