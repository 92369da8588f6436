import {
  createCatalogErrorBody,
  type ErrorCode,
  type ErrorReply,
  errorCatalog,
  errorCodes,
  errorsPath,
} from '../../../shared/contract/errors.ts';
import { documentedBaseUrl } from '../documented-base-url.ts';
import type { Components } from '../openapi-types.ts';

/** Errors that name a parameter and have a more specific message than the catalog. */
const parameterErrors: Partial<Record<ErrorCode, { param: string; message: string }>> = {
  parameter_missing: { param: 'conversation_id', message: "'conversation_id' is required." },
  parameter_invalid: { param: 'limit', message: "'limit' must be an integer from 1 to 100." },
};

const exampleReply = (code: ErrorCode): ErrorReply => ({
  ...createCatalogErrorBody(code, {
    requestId: '0b5e7a52-6f3c-4f0e-9d59-3c1f4ed2a7b8',
    errorsPage: `${documentedBaseUrl}${errorsPath}`,
  }),
  ...parameterErrors[code],
});

export const errorExamples: Components['examples'] = Object.fromEntries(
  errorCodes.map((code) => [
    code,
    { summary: errorCatalog[code].meaning, value: exampleReply(code) },
  ]),
);
