import * as v from 'valibot';
import { maxGroupMembers, maxGroupsOfPerson } from './resources/group.ts';
import { messageLimits } from './schema/message-limits.ts';

/**
 * All errors. Replies, the gateway's templates, the OpenAPI document and docs/errors.md derive from
 * this catalog. Additional statuses that only the gateway returns are in `gatewayStatuses`.
 */
export const errorCatalog = {
  parameter_missing: {
    status: 400,
    meaning: 'A required parameter is missing.',
    cure: 'Send the parameter named in `param`.',
  },
  parameter_invalid: {
    status: 400,
    meaning: 'A parameter has the wrong type or is outside its limits.',
    cure: 'Correct the parameter named in `param`; `message` describes the accepted values.',
  },
  parameter_unknown: {
    status: 400,
    meaning:
      'The operation has no such parameter. Only `npm start -- --strict` returns this error.',
    cure: 'Remove or rename the parameter named in `param`. Without `--strict`, the API ignores it.',
  },
  body_malformed: {
    status: 400,
    meaning:
      'The body does not match its content type, is not valid UTF-8, is nested too deeply, or has too many fields.',
    cure: 'Send valid JSON or a valid form within the documented limits.',
  },
  too_many_conversations: {
    status: 400,
    meaning: 'The request would have to read too many conversations.',
    cure: 'List the messages of one conversation, list conversations without filters, or delete unused conversations.',
  },
  too_many_readers: {
    status: 400,
    meaning:
      'The conversation has more than about 100,000 readers, or too many readers hide their read receipts.',
    cure: 'Do not show the readers of this conversation.',
  },
  request_invalid: {
    status: 400,
    meaning: 'The gateway rejected the request before it reached an operation.',
    cure: 'Correct the part of the request that `message` names, such as headers of more than 10 KB in total.',
  },
  token_missing: {
    status: 401,
    meaning: 'The request has no bearer token.',
    cure: 'Send `Authorization: Bearer <token>`.',
  },
  token_invalid: {
    status: 401,
    meaning:
      'The token is invalid: for example, it is malformed, or its signature, issuer or audience is wrong.',
    cure: "Get a token from this stage's identity provider.",
  },
  token_expired: {
    status: 401,
    meaning: 'The token has expired.',
    cure: 'Get a new token and repeat the request.',
  },
  not_allowed: {
    status: 403,
    meaning: 'The caller may see the resource but may not perform this operation on it.',
    cure: 'Do not retry. The documentation lists who may perform the operation.',
  },
  blocked: {
    status: 403,
    meaning: 'The other contact of the direct conversation has blocked the caller.',
    cure: 'Do not retry. Both contacts can still read the conversation: show it as read-only.',
  },
  blocking: {
    status: 403,
    meaning: 'The caller has blocked the other contact of the direct conversation.',
    cure: 'Offer to unblock the contact with `DELETE /v1/blocks/{contact_id}`.',
  },
  not_addable: {
    status: 403,
    meaning:
      'The contact was erased, does not let the caller add them to groups, has blocked the caller, or is blocked by the caller.',
    cure: 'Do not retry. If there is no block, ask the contact to change `accept_groups_from` in their settings.',
  },
  too_many_groups: {
    status: 403,
    meaning: 'The token names more than 100 groups.',
    cure: 'Configure the identity provider to include only groups whose conversations the app shows.',
  },
  not_found: {
    status: 404,
    meaning: 'The path or resource does not exist, or the caller cannot access it.',
    cure: 'Check the path and the id. Deleted resources cannot be restored.',
  },
  not_uploaded: {
    status: 409,
    meaning: 'An attachment of the message was created, but its file has not been uploaded yet.',
    cure: 'Upload the file, then repeat the request.',
  },
  not_scanned: {
    status: 409,
    meaning: 'The file has not been scanned for malware yet, or cannot be scanned.',
    cure: 'If the `status` of the attachment is `scanning`, repeat the request when `message.updated` reports another status.',
  },
  last_owner: {
    status: 409,
    meaning: 'The request would leave the group without an owner.',
    cure: 'Make another member an owner first, or delete the group.',
  },
  group_full: {
    status: 409,
    meaning: `The group has ${maxGroupMembers} members.`,
    cure: 'Do not retry. Remove a member first.',
  },
  groups_exceeded: {
    status: 409,
    meaning: `The contact is already a member of ${maxGroupsOfPerson} user-created groups, the maximum.`,
    cure: 'Do not retry. The contact must leave a group first.',
  },
  request_in_progress: {
    status: 409,
    meaning: 'A request with the same Idempotency-Key is still running.',
    cure: "Repeat the request after `Retry-After` seconds to get the first request's reply.",
  },
  cursor_expired: {
    status: 410,
    meaning:
      'The feed cannot continue from the cursor: later events have expired (after 30 days or more), the token names a new group, or the feed was reset.',
    cure: 'Get a new cursor from `GET /v1/live`, list all resources again, and continue from that cursor.',
  },
  infected: {
    status: 410,
    meaning: 'The file contains malware.',
    cure: 'Do not retry. Show that the file is not available.',
  },
  precondition_failed: {
    status: 412,
    meaning: 'The resource has changed since the ETag in `If-Match` was returned.',
    cure: 'Retrieve the resource again and apply the change to its current state.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than 256 KB.',
    cure: 'Send a smaller body, and attach files by upload or URL.',
  },
  content_type_unsupported: {
    status: 415,
    meaning: "The body's content type is neither JSON nor a form.",
    cure: 'Send `application/json` or `application/x-www-form-urlencoded`.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'The Idempotency-Key was used for another request in the last 24 hours.',
    cure: 'Use a new key for a new request.',
  },
  reactions_full: {
    status: 422,
    meaning: `The message would have more than ${messageLimits.reactions} reactions.`,
    cure: 'Do not retry. Remove a reaction first, or in the same request.',
  },
  uploads_exceeded: {
    status: 422,
    meaning: "The upload would exceed the caller's limit of 1 GB per day (UTC).",
    cure: 'Upload a smaller file, or wait until tomorrow.',
  },
  too_many_requests: {
    status: 429,
    meaning: 'The request exceeded a rate limit.',
    cure: 'Wait `Retry-After` seconds, then retry, and send requests more slowly.',
  },
  internal_error: {
    status: 500,
    meaning: 'An internal error occurred.',
    cure: 'Repeat the request; if the error persists, report the `request_id`.',
  },
  unavailable: {
    status: 503,
    meaning: 'A dependency of this service is down or overloaded.',
    cure: 'Wait `Retry-After` seconds, then retry. With the same Idempotency-Key, a POST takes effect at most once.',
  },
  timeout: {
    status: 504,
    meaning: 'The request timed out.',
    cure: 'Repeat the request. With the same Idempotency-Key, a POST takes effect at most once.',
  },
} as const;

export type ErrorCode = keyof typeof errorCatalog;

const isErrorCode = (word: string): word is ErrorCode => Object.hasOwn(errorCatalog, word);

export const errorCodes: ErrorCode[] = Object.keys(errorCatalog).filter(isErrorCode);

/** Additional statuses that only the gateway returns, by error code, with their meanings. */
export const gatewayStatuses: Partial<Record<ErrorCode, Readonly<Record<number, string>>>> = {
  request_invalid: { 431: 'The headers of the request exceed 10 KB in total.' },
  internal_error: { 502: 'An internal error occurred: the operation returned no reply.' },
};

export const getStatuses = (code: ErrorCode): readonly number[] => [
  errorCatalog[code].status,
  ...Object.keys(gatewayStatuses[code] ?? {}).map(Number),
];

export const getMeaning = (code: ErrorCode, status: number): string =>
  gatewayStatuses[code]?.[status] ?? errorCatalog[code].meaning;

/** Path of the errors page below the API's base URL, in stages that serve the reference. */
export const errorsPath = '/docs/errors';

/** Returns the URL of the code's entry on the errors page. */
export const toDocumentationUrl = (errorsPage: string, code: string) => `${errorsPage}#${code}`;

/** Returns `invalid_request` for a 4xx status, and `api_error` for a 5xx status. */
export const getErrorType = (status: number): 'invalid_request' | 'api_error' =>
  status >= 500 ? 'api_error' : 'invalid_request';

/** Value of `Retry-After` in seconds, by error code. */
export const retryAfterSeconds: Partial<Record<ErrorCode, number>> = {
  request_in_progress: 1,
  too_many_requests: 1,
  unavailable: 1,
};

export const ErrorCode = v.pipe(
  v.picklist(errorCodes),
  v.description(
    'Machine-readable reason. The meaning of a code never changes; new codes may be added.',
  ),
  v.metadata({ isOpen: true }),
);

/** The shape of every error, from handlers, the gateway, the authorizer and the firewall. */
export const ErrorReply = v.strictObject({
  type: v.picklist(['invalid_request', 'api_error']),
  code: ErrorCode,
  message: v.string(),
  param: v.nullable(v.string()),
  request_id: v.string(),
  documentation_url: v.string(),
});
export type ErrorReply = v.InferOutput<typeof ErrorReply>;

export const getErrorMessage = (code: ErrorCode): string =>
  `${errorCatalog[code].meaning} ${errorCatalog[code].cure}`;

export interface ErrorLocation {
  requestId: string;
  errorsPage: string;
}

export const createCatalogErrorBody = (code: ErrorCode, location: ErrorLocation): ErrorReply =>
  createErrorBody(errorCatalog[code].status, code, getErrorMessage(code), location);

/** Returns the body of an error. `status` must be a status of `code`. */
export const createErrorBody = <Code extends string>(
  status: number,
  code: Code,
  message: string,
  { requestId, errorsPage }: ErrorLocation,
): Omit<ErrorReply, 'code'> & { code: Code } => ({
  type: getErrorType(status),
  code,
  message,
  param: null,
  request_id: requestId,
  documentation_url: toDocumentationUrl(errorsPage, code),
});
