import { type ErrorCode, getErrorMessage } from './contract/errors.ts';

/** An error that the API returns to the client, identified by its code in the catalog. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** Path of the parameter at fault, such as `attachments[0].url`, or null. */
  readonly param: string | null;

  /** Uses the catalog's message by default. */
  constructor(
    code: ErrorCode,
    options: { message?: string; param?: string; cause?: unknown } = {},
  ) {
    super(options.message ?? getErrorMessage(code), { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.param = options.param ?? null;
  }
}

/** Creates the error for a resource that does not exist or that the caller may not access. */
export const notFound = (param: string) =>
  new ApiError('not_found', {
    message: `No resource that you can access has the id in '${param}'.`,
    param,
  });

export const invalidParameter = (param: string, rule: string) =>
  new ApiError('parameter_invalid', { message: `'${param}' ${rule}.`, param });
