import { describeSchema } from '../../shared/contract/schema/describe-schema.ts';

export const getFieldNames = (schema: unknown): string[] => [
  ...(describeSchema(schema).fields?.keys() ?? []),
];
