// Written from the contract by `npm run docs`.

import { ApiError } from '../api-error.ts';

/** 400. A required parameter is absent. Send the parameter named in `param`. */
export class ParameterMissingError extends ApiError<'parameter_missing'> {}

/** 400. A parameter has the wrong type or is outside its limits. Correct the parameter named in `param`; `message` tells what is accepted. */
export class ParameterInvalidError extends ApiError<'parameter_invalid'> {}

/** 400. The body is not what its content type says, is no UTF-8, is nested too deep or has too many fields. Send valid JSON or a valid form within the documented limits. */
export class BodyMalformedError extends ApiError<'body_malformed'> {}

/** 400. More conversations would have to be looked through than one request has time for. Ask for the messages of one conversation, or for conversations without filters; delete those that nobody wants. */
export class TooManyConversationsError extends ApiError<'too_many_conversations'> {}

/** 400. The gateway refused the request before any operation saw it. Correct what `message` names, such as headers of more than 10 KB in all. */
export class RequestInvalidError extends ApiError<'request_invalid'> {}

/** 401. The request carries no bearer token. Send `Authorization: Bearer <token>`. */
export class TokenMissingError extends ApiError<'token_missing'> {}

/** 401. The token is malformed, wrongly signed, or made by or for somebody else. Get a token from the identity provider of this stage. */
export class TokenInvalidError extends ApiError<'token_invalid'> {}

/** 401. The token was good, but its time is over. Get a fresh token and repeat the request. */
export class TokenExpiredError extends ApiError<'token_expired'> {}

/** 403. The caller may see the thing, but may not do this with it. Nothing to retry: only those the documentation names may do it. */
export class NotAllowedError extends ApiError<'not_allowed'> {}

/** 403. The token names more than 100 groups. Have the identity provider put only groups into it whose conversations the app shows. */
export class TooManyGroupsError extends ApiError<'too_many_groups'> {}

/** 404. There is no such path or thing, or it is not for the caller to see. Check the path and the id; a deleted thing does not come back. */
export class NotFoundError extends ApiError<'not_found'> {}

/** 409. A request with the same Idempotency-Key is still under way. Repeat the request after `Retry-After` seconds: it then gets the first one’s reply. */
export class RequestInProgressError extends ApiError<'request_in_progress'> {}

/** 410. What has happened since the cursor was given out is not, or not all, in the feed: it is more than 30 days old, or the caller has joined a group since, or the feed had to begin anew. Get a cursor of now by `GET /v1/live`, list anew, and go on from that cursor. */
export class CursorExpiredError extends ApiError<'cursor_expired'> {}

/** 412. The thing has changed since the ETag in `If-Match` was given out. Retrieve it again, and repeat the change on what it is now. */
export class PreconditionFailedError extends ApiError<'precondition_failed'> {}

/** 413. The body is larger than 256 KB. Send less; keep files elsewhere and attach their URLs. */
export class BodyTooLargeError extends ApiError<'body_too_large'> {}

/** 415. The body’s content type is neither JSON nor a form. Send `application/json` or `application/x-www-form-urlencoded`. */
export class ContentTypeUnsupportedError extends ApiError<'content_type_unsupported'> {}

/** 422. The Idempotency-Key was used within a day for another body. Use a new key for a new request. */
export class IdempotencyKeyReusedError extends ApiError<'idempotency_key_reused'> {}

/** 422. The message would have more than 1000 reactions. Nothing to retry: there is room again when somebody takes a reaction back, in the same request too. */
export class ReactionsFullError extends ApiError<'reactions_full'> {}

/** 429. More requests than the stage admits. Wait `Retry-After` seconds, then repeat; slow down. */
export class TooManyRequestsError extends ApiError<'too_many_requests'> {}

/** 500. A fault on our side. Repeat the request; if it stays, report the `request_id`. */
export class InternalError extends ApiError<'internal_error'> {}

/** 503. Something this service depends on is down or overloaded. Wait `Retry-After` seconds, then repeat; a POST with the same Idempotency-Key, so that it happens once. */
export class UnavailableError extends ApiError<'unavailable'> {}

/** 504. The reply took too long. Repeat the request; for a POST with the same Idempotency-Key, so that it happens once. */
export class TimeoutError extends ApiError<'timeout'> {}

/** The class of each code. */
export const errorClasses = {
  parameter_missing: ParameterMissingError,
  parameter_invalid: ParameterInvalidError,
  body_malformed: BodyMalformedError,
  too_many_conversations: TooManyConversationsError,
  request_invalid: RequestInvalidError,
  token_missing: TokenMissingError,
  token_invalid: TokenInvalidError,
  token_expired: TokenExpiredError,
  not_allowed: NotAllowedError,
  too_many_groups: TooManyGroupsError,
  not_found: NotFoundError,
  request_in_progress: RequestInProgressError,
  cursor_expired: CursorExpiredError,
  precondition_failed: PreconditionFailedError,
  body_too_large: BodyTooLargeError,
  content_type_unsupported: ContentTypeUnsupportedError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  reactions_full: ReactionsFullError,
  too_many_requests: TooManyRequestsError,
  internal_error: InternalError,
  unavailable: UnavailableError,
  timeout: TimeoutError,
};
