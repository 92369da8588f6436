// Generated from the contract by `npm run docs`.

import { ApiError, hasCode } from '../api-error.ts';

/** 400. A required parameter is missing. Send the parameter named in `param`. */
export class ParameterMissingError extends ApiError<'parameter_missing'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'parameter_missing');
  }
}

/** 400. A parameter has the wrong type or is outside its limits. Correct the parameter named in `param`; `message` describes the accepted values. */
export class ParameterInvalidError extends ApiError<'parameter_invalid'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'parameter_invalid');
  }
}

/** 400. The operation has no such parameter. Only `npm start -- --strict` returns this error. Remove or rename the parameter named in `param`. Without `--strict`, the API ignores it. */
export class ParameterUnknownError extends ApiError<'parameter_unknown'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'parameter_unknown');
  }
}

/** 400. The body does not match its content type, is not valid UTF-8, is nested too deeply, or has too many fields. Send valid JSON or a valid form within the documented limits. */
export class BodyMalformedError extends ApiError<'body_malformed'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'body_malformed');
  }
}

/** 400. The request would have to read too many conversations. List the messages of one conversation, list conversations without filters, or delete unused conversations. */
export class TooManyConversationsError extends ApiError<'too_many_conversations'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'too_many_conversations');
  }
}

/** 400. The conversation has more than about 100,000 readers, or too many readers hide their read receipts. Do not show the readers of this conversation. */
export class TooManyReadersError extends ApiError<'too_many_readers'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'too_many_readers');
  }
}

/** 400. The gateway rejected the request before it reached an operation. Correct the part of the request that `message` names, such as headers of more than 10 KB in total. */
export class RequestInvalidError extends ApiError<'request_invalid'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'request_invalid');
  }
}

/** 401. The request has no bearer token. Send `Authorization: Bearer <token>`. */
export class TokenMissingError extends ApiError<'token_missing'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'token_missing');
  }
}

/** 401. The token is invalid: for example, it is malformed, or its signature, issuer or audience is wrong. Get a token from this stage's identity provider. */
export class TokenInvalidError extends ApiError<'token_invalid'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'token_invalid');
  }
}

/** 401. The token has expired. Get a new token and repeat the request. */
export class TokenExpiredError extends ApiError<'token_expired'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'token_expired');
  }
}

/** 403. The caller may see the resource but may not perform this operation on it. Do not retry. The documentation lists who may perform the operation. */
export class NotAllowedError extends ApiError<'not_allowed'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'not_allowed');
  }
}

/** 403. The other contact of the direct conversation has blocked the caller. Do not retry. Both contacts can still read the conversation: show it as read-only. */
export class BlockedError extends ApiError<'blocked'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'blocked');
  }
}

/** 403. The caller has blocked the other contact of the direct conversation. Offer to unblock the contact with `DELETE /v1/blocks/{contact_id}`. */
export class BlockingError extends ApiError<'blocking'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'blocking');
  }
}

/** 403. The contact was erased, does not let the caller add them to groups, has blocked the caller, or is blocked by the caller. Do not retry. If there is no block, ask the contact to change `accept_groups_from` in their settings. */
export class NotAddableError extends ApiError<'not_addable'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'not_addable');
  }
}

/** 403. The token names more than 100 groups. Configure the identity provider to include only groups whose conversations the app shows. */
export class TooManyGroupsError extends ApiError<'too_many_groups'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'too_many_groups');
  }
}

/** 404. The path or resource does not exist, or the caller cannot access it. Check the path and the id. Deleted resources cannot be restored. */
export class NotFoundError extends ApiError<'not_found'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'not_found');
  }
}

/** 409. An attachment of the message was created, but its file has not been uploaded yet. Upload the file, then repeat the request. */
export class NotUploadedError extends ApiError<'not_uploaded'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'not_uploaded');
  }
}

/** 409. The file has not been scanned for malware yet, or cannot be scanned. If the `status` of the attachment is `scanning`, repeat the request when `message.updated` reports another status. */
export class NotScannedError extends ApiError<'not_scanned'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'not_scanned');
  }
}

/** 409. The request would leave the group without an owner. Make another member an owner first, or delete the group. */
export class LastOwnerError extends ApiError<'last_owner'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'last_owner');
  }
}

/** 409. The group has 1000 members. Do not retry. Remove a member first. */
export class GroupFullError extends ApiError<'group_full'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'group_full');
  }
}

/** 409. The contact is already a member of 300 user-created groups, the maximum. Do not retry. The contact must leave a group first. */
export class GroupsExceededError extends ApiError<'groups_exceeded'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'groups_exceeded');
  }
}

/** 409. A request with the same Idempotency-Key is still running. Repeat the request after `Retry-After` seconds to get the first request's reply. */
export class RequestInProgressError extends ApiError<'request_in_progress'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'request_in_progress');
  }
}

/** 410. The feed cannot continue from the cursor: later events have expired (after 30 days or more), the token names a new group, or the feed was reset. Get a new cursor from `GET /v1/live`, list all resources again, and continue from that cursor. */
export class CursorExpiredError extends ApiError<'cursor_expired'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'cursor_expired');
  }
}

/** 410. The file contains malware. Do not retry. Show that the file is not available. */
export class InfectedError extends ApiError<'infected'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'infected');
  }
}

/** 412. The resource has changed since the ETag in `If-Match` was returned. Retrieve the resource again and apply the change to its current state. */
export class PreconditionFailedError extends ApiError<'precondition_failed'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'precondition_failed');
  }
}

/** 413. The body is larger than 256 KB. Send a smaller body, and attach files by upload or URL. */
export class BodyTooLargeError extends ApiError<'body_too_large'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'body_too_large');
  }
}

/** 415. The body's content type is neither JSON nor a form. Send `application/json` or `application/x-www-form-urlencoded`. */
export class ContentTypeUnsupportedError extends ApiError<'content_type_unsupported'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'content_type_unsupported');
  }
}

/** 422. The Idempotency-Key was used for another request in the last 24 hours. Use a new key for a new request. */
export class IdempotencyKeyReusedError extends ApiError<'idempotency_key_reused'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'idempotency_key_reused');
  }
}

/** 422. The message would have more than 1000 reactions. Do not retry. Remove a reaction first, or in the same request. */
export class ReactionsFullError extends ApiError<'reactions_full'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'reactions_full');
  }
}

/** 422. The upload would exceed the caller's limit of 1 GB per day (UTC). Upload a smaller file, or wait until tomorrow. */
export class UploadsExceededError extends ApiError<'uploads_exceeded'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'uploads_exceeded');
  }
}

/** 429. The request exceeded a rate limit. Wait `Retry-After` seconds, then retry, and send requests more slowly. */
export class TooManyRequestsError extends ApiError<'too_many_requests'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'too_many_requests');
  }
}

/** 500. An internal error occurred. Repeat the request; if the error persists, report the `request_id`. */
export class InternalError extends ApiError<'internal_error'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'internal_error');
  }
}

/** 503. A dependency of this service is down or overloaded. Wait `Retry-After` seconds, then retry. With the same Idempotency-Key, a POST takes effect at most once. */
export class UnavailableError extends ApiError<'unavailable'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'unavailable');
  }
}

/** 504. The request timed out. Repeat the request. With the same Idempotency-Key, a POST takes effect at most once. */
export class TimeoutError extends ApiError<'timeout'> {
  static override [Symbol.hasInstance](error: unknown): boolean {
    return hasCode(error, 'timeout');
  }
}
