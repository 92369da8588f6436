import * as v from 'valibot';
import { messageLimits } from './message-limits.ts';

/**
 * Every error a client can meet: the stable code, its HTTP status, what it means and what to do
 * about it. Replies, the gateway's templates, the OpenAPI document and docs/errors.md are made from
 * this list; what the gateway may answer with statuses of its own is in `gatewayStatuses`.
 */
export const errorCatalog = {
  parameter_missing: {
    status: 400,
    meaning: 'A required parameter is absent.',
    cure: 'Send the parameter named in `param`.',
  },
  parameter_invalid: {
    status: 400,
    meaning: 'A parameter has the wrong type or is outside its limits.',
    cure: 'Correct the parameter named in `param`; `message` tells what is accepted.',
  },
  body_malformed: {
    status: 400,
    meaning:
      'The body is not what its content type says, is no UTF-8, is nested too deep or has too many fields.',
    cure: 'Send valid JSON or a valid form within the documented limits.',
  },
  too_many_conversations: {
    status: 400,
    meaning: 'More conversations would have to be looked through than one request has time for.',
    cure: 'Ask for the messages of one conversation, or for conversations without filters; delete those that nobody wants.',
  },
  request_invalid: {
    status: 400,
    meaning: 'The gateway refused the request before any operation saw it.',
    cure: 'Correct what `message` names, such as headers of more than 10 KB in all.',
  },
  token_missing: {
    status: 401,
    meaning: 'The request carries no bearer token.',
    cure: 'Send `Authorization: Bearer <token>`.',
  },
  token_invalid: {
    status: 401,
    meaning: 'The token is malformed, wrongly signed, or made by or for somebody else.',
    cure: 'Get a token from the identity provider of this stage.',
  },
  token_expired: {
    status: 401,
    meaning: 'The token was good, but its time is over.',
    cure: 'Get a fresh token and repeat the request.',
  },
  not_allowed: {
    status: 403,
    meaning: 'The caller may see the thing, but may not do this with it.',
    cure: 'Nothing to retry: only those the documentation names may do it.',
  },
  too_many_groups: {
    status: 403,
    meaning: 'The token names more than 100 groups.',
    cure: 'Have the identity provider put only groups into it whose conversations the app shows.',
  },
  not_found: {
    status: 404,
    meaning: 'There is no such path or thing, or it is not for the caller to see.',
    cure: 'Check the path and the id; a deleted thing does not come back.',
  },
  request_in_progress: {
    status: 409,
    meaning: 'A request with the same Idempotency-Key is still under way.',
    cure: 'Repeat the request after `Retry-After` seconds: it then gets the first one’s reply.',
  },
  cursor_expired: {
    status: 410,
    meaning:
      'What has happened since the cursor was given out is not, or not all, in the feed: it is more than 30 days old, or the caller has joined a group since, or the feed had to begin anew.',
    cure: 'Get a cursor of now by `GET /v1/live`, list anew, and go on from that cursor.',
  },
  precondition_failed: {
    status: 412,
    meaning: 'The thing has changed since the ETag in `If-Match` was given out.',
    cure: 'Retrieve it again, and repeat the change on what it is now.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than 256 KB.',
    cure: 'Send less; keep files elsewhere and attach their URLs.',
  },
  content_type_unsupported: {
    status: 415,
    meaning: 'The body’s content type is neither JSON nor a form.',
    cure: 'Send `application/json` or `application/x-www-form-urlencoded`.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'The Idempotency-Key was used within a day for another body.',
    cure: 'Use a new key for a new request.',
  },
  reactions_full: {
    status: 422,
    meaning: `The message would have more than ${messageLimits.reactions} reactions.`,
    cure: 'Nothing to retry: there is room again when somebody takes a reaction back, in the same request too.',
  },
  too_many_requests: {
    status: 429,
    meaning: 'More requests than the stage admits.',
    cure: 'Wait `Retry-After` seconds, then repeat; slow down.',
  },
  internal_error: {
    status: 500,
    meaning: 'A fault on our side.',
    cure: 'Repeat the request; if it stays, report the `request_id`.',
  },
  unavailable: {
    status: 503,
    meaning: 'Something this service depends on is down or overloaded.',
    cure: 'Wait `Retry-After` seconds, then repeat; a POST with the same Idempotency-Key, so that it happens once.',
  },
  timeout: {
    status: 504,
    meaning: 'The reply took too long.',
    cure: 'Repeat the request; for a POST with the same Idempotency-Key, so that it happens once.',
  },
} as const;

export type ErrorCode = keyof typeof errorCatalog;

const isErrorCode = (word: string): word is ErrorCode => Object.hasOwn(errorCatalog, word);

/** All codes, in the order of the catalog. */
export const errorCodes: ErrorCode[] = Object.keys(errorCatalog).filter(isErrorCode);

/**
 * What the gateway answers by itself may have these statuses too, beside that of its code; and what
 * each means.
 */
export const gatewayStatuses: Partial<Record<ErrorCode, Readonly<Record<number, string>>>> = {
  request_invalid: { 431: 'The headers of the request are more than 10 KB in all.' },
  internal_error: { 502: 'A fault on our side: the operation gave no reply.' },
};

/** All statuses that a reply of that code may have, its own first. */
export const statusesOf = (code: ErrorCode): readonly number[] => [
  errorCatalog[code].status,
  ...Object.keys(gatewayStatuses[code] ?? {}).map(Number),
];

/** What a code means in a reply of that status. */
export const meaningOf = (code: ErrorCode, status: number): string =>
  gatewayStatuses[code]?.[status] ?? errorCatalog[code].meaning;

/**
 * Where a stage that serves its own reference says what errors mean, behind the address of its API.
 */
export const errorsPath = '/docs/errors';

/** Where an error is explained: each code is the id of its entry on that page. */
export const documentationUrl = (errorsPage: string, code: string) => `${errorsPage}#${code}`;

/** 4xx: the request is at fault; 5xx: the service is. */
export const errorType = (status: number): 'invalid_request' | 'api_error' =>
  status >= 500 ? 'api_error' : 'invalid_request';

/** Seconds after which repeating is worth it, for the errors that waiting cures. */
export const retryAfterSeconds: Partial<Record<ErrorCode, number>> = {
  request_in_progress: 1,
  too_many_requests: 1,
  unavailable: 1,
};

export const ErrorCode = v.pipe(
  v.picklist(errorCodes),
  v.description(
    'Why the request failed: what a program decides by. A code never changes its meaning; new ones may come.',
  ),
);

/**
 * The one shape of every error, whoever makes it: a handler, the gateway for itself and for the
 * authorizer, the firewall.
 */
export const ErrorReply = v.strictObject({
  type: v.picklist(['invalid_request', 'api_error']),
  code: ErrorCode,
  message: v.string(),
  param: v.nullable(v.string()),
  request_id: v.string(),
  documentation_url: v.string(),
});
export type ErrorReply = v.InferOutput<typeof ErrorReply>;

/**
 * What a client is told of an error in words, unless whoever makes it knows better: what it means,
 * and what to do.
 */
export const messageFor = (code: ErrorCode): string =>
  `${errorCatalog[code].meaning} ${errorCatalog[code].cure}`;

/** What an error has of the request and of the stage. */
export interface ErrorLocation {
  requestId: string;
  /** The address of the page that explains errors. */
  errorsPage: string;
}

/** The body of an error of which nothing more is known than the catalog says. */
export const catalogBody = (code: ErrorCode, sequence: ErrorLocation): ErrorReply =>
  errorBody(errorCatalog[code].status, code, messageFor(code), sequence);

/**
 * The body of an error. `status` and `code` belong together, which the catalog says of its own
 * codes.
 */
export const errorBody = <Code extends string>(
  status: number,
  code: Code,
  message: string,
  { requestId, errorsPage }: ErrorLocation,
): Omit<ErrorReply, 'code'> & { code: Code } => ({
  type: errorType(status),
  code,
  message,
  param: null,
  request_id: requestId,
  documentation_url: documentationUrl(errorsPage, code),
});
