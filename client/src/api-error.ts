/** What the API says of an error, beside its code. */
export interface ErrorDetails {
  /** Of the reply. */
  readonly status: number;
  /** What is at fault: a field, a parameter or a header; null where it is the request as a whole. */
  readonly param: string | null;
  /** Tell it when you report a fault; null where something before the service has answered. */
  readonly requestId: string | null;
  /** Where the code is explained. */
  readonly documentationUrl: string | null;
  /** Seconds after which repeating is worth it, where the reply says so. */
  readonly retryAfter: number | null;
}

/**
 * The API has answered with an error. There is a class for each code, such as `NotFoundError`; an error that is of none of
 * them has a code that is newer than this client, or `unexpected_reply`: something before the service has answered, in a
 * shape of its own.
 */
export class ApiError<Code extends string = string> extends Error implements ErrorDetails {
  readonly code: Code;
  readonly status: number;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly documentationUrl: string | null;
  readonly retryAfter: number | null;

  constructor(code: Code, message: string, details: ErrorDetails) {
    super(message);
    this.name = toClassName(code);
    this.code = code;
    this.status = details.status;
    this.param = details.param;
    this.requestId = details.requestId;
    this.documentationUrl = details.documentationUrl;
    this.retryAfter = details.retryAfter;
  }
}

/** `not_found` → `NotFoundError`: written out, as the names of classes do not survive a minifier. */
const toClassName = (code: string) =>
  `${code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`.replace(
    /ErrorError$/,
    'Error',
  );

/**
 * There was no reply: the network failed, or it took too long. Whether the request was carried out nobody knows; a POST that
 * is sent again with the same `idempotencyKey` happens once.
 */
export class NoReplyError extends Error {
  readonly reason: 'network' | 'timeout';
  /** Of a POST, to send it again with; else null. */
  readonly idempotencyKey: string | null;

  constructor(reason: 'network' | 'timeout', idempotencyKey: string | null, cause?: unknown) {
    super(reason === 'timeout' ? 'There was no reply in time.' : 'The API cannot be reached.', {
      cause,
    });
    this.name = 'NoReplyError';
    this.reason = reason;
    this.idempotencyKey = idempotencyKey;
  }
}
