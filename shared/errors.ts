import { type ErrorCode, messageFor } from './contract/errors.ts';

/** An error that the client is told of, by its code of the catalog. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** The parameter at fault, as the client wrote it (`attachments[0].url`), or null. */
  readonly param: string | null;

  /** Without a message of its own, it says what the catalog says. */
  constructor(
    code: ErrorCode,
    options: { message?: string; param?: string; cause?: unknown } = {},
  ) {
    super(options.message ?? messageFor(code), { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.param = options.param ?? null;
  }
}

/** The thing named by that parameter does not exist, or not for this caller: the two must not be told apart. */
export const notFound = (param: string) =>
  new ApiError('not_found', {
    message: `Nothing that you can see has the id given as '${param}'.`,
    param,
  });

export const invalid = (param: string, rule: string) =>
  new ApiError('parameter_invalid', { message: `'${param}' ${rule}.`, param });
