import type { ErrorCode } from './generated/types.ts';

/** Details of an error reply, other than its code and message. */
export interface ErrorDetails {
  readonly status: number;
  /** Field, parameter or header at fault; null if there is none. */
  readonly param: string | null;
  /** Id to quote in a bug report; null if the reply has none. */
  readonly requestId: string | null;
  /** URL of the code's documentation; null if the reply is not from the service. */
  readonly documentationUrl: string | null;
  /** Seconds to wait before a retry; null if the reply has no `Retry-After` in seconds. */
  readonly retryAfter: number | null;
}

/**
 * An error reply from the API. Each code in this version of the client has a subclass, such as
 * `NotFoundError`. The exception is `unexpected_reply`, the code for a reply that is not from the
 * service.
 */
export class ApiError<Code extends string = ErrorCode> extends Error implements ErrorDetails {
  readonly code: Code;
  declare readonly status: number;
  declare readonly param: string | null;
  declare readonly requestId: string | null;
  declare readonly documentationUrl: string | null;
  declare readonly retryAfter: number | null;

  constructor(code: Code, message: string, details: ErrorDetails) {
    super(message);
    this.name = toClassName(code);
    this.code = code;
    Object.assign(this, details);
  }
}

/**
 * Reports whether an error has the code. The subclasses' `instanceof` uses this function, so the
 * client needs to construct only `ApiError`. Pages load only the subclasses that they import.
 */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.code === code;

/** Returns the name of the error class for a code. Minifiers change the classes' own names. */
const toClassName = (code: string) =>
  `${code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`.replace(
    /ErrorError$/,
    'Error',
  );

/**
 * The error of a request without a reply: the network failed, or the request timed out. The request
 * may have taken effect. If you repeat a POST with the same `idempotencyKey`, it takes effect only
 * once.
 */
export class NoReplyError extends Error {
  declare readonly reason: 'network' | 'timeout';
  /** Idempotency key for repeating a POST; null for other methods. */
  declare readonly idempotencyKey: string | null;

  constructor(reason: 'network' | 'timeout', idempotencyKey: string | null, cause?: unknown) {
    super(reason === 'timeout' ? 'The API did not reply in time.' : 'The API cannot be reached.', {
      cause,
    });
    this.name = 'NoReplyError';
    this.reason = reason;
    this.idempotencyKey = idempotencyKey;
  }
}

/**
 * There is no token, because the user is signed out. A `token` function can throw this error or
 * return null. The client does not retry.
 */
export class SignedOutError extends Error {
  constructor() {
    super('There is no token: the user is signed out.');
    this.name = 'SignedOutError';
  }
}

/**
 * A file to upload cannot be read or hashed: the device no longer has it, it has changed, or the
 * platform has no `crypto.subtle`.
 */
export class FileReadError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FileReadError';
  }
}

/** Reports whether an error is a `SignedOutError`, even from another copy of this package. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Error && error.name === 'SignedOutError';
