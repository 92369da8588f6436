import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { ApiError } from '../../api-error.ts';
import {
  createErrorBody,
  errorCatalog,
  errorsPath,
  retryAfterSeconds,
} from '../../contract/errors.ts';
import { authenticationChallenge, fixedHeaders } from '../../contract/headers.ts';
import type { Operation, OperationResult } from '../../contract/operation.ts';
import { describeSchema } from '../../contract/schema/describe-schema.ts';
import type { Page } from '../../contract/schema/list-schema.ts';
import { env } from '../../env.ts';
import { matchesIfNoneMatch, toEtag } from '../../etag.ts';
import { getParameterName } from '../request/query.ts';
import { createLinkHeader, getBaseUrl, getRequestUrl } from './links.ts';

type Headers = Record<string, string>;

export function toReply(
  row: Operation,
  event: APIGatewayProxyEvent,
  result: object,
): APIGatewayProxyResult {
  const operationResult: OperationResult<object> = isOperationResult(result)
    ? result
    : { reply: result };
  const headers: Headers = operationResult.replayed ? { 'Idempotent-Replayed': 'true' } : {};
  const content = operationResult.reply;
  const body =
    row.list && isPage(content)
      ? toListBody(row, event, content, headers)
      : withExpansion(operationResult);
  if (row.status === 201 && 'id' in body) headers.Location = `${getRequestUrl(event)}/${body.id}`;
  if (operationResult.redirects && 'url' in body) headers.Location = String(body.url);
  if (row.versioned) {
    headers.ETag = toEtag(operationResult);
    // Expanded fields may have changed even if the resource has not.
    const canBeUnmodified = row.method === 'GET' && !operationResult.expansion;
    if (canBeUnmodified && matchesIfNoneMatch(event.headers['if-none-match'], headers.ETag)) {
      return createReply(event, 304, undefined, headers);
    }
  }
  return createReply(event, getStatus(row, operationResult), body, headers);
}

function getStatus(row: Operation, { alreadyExists, redirects }: OperationResult<object>): number {
  if (redirects) return 302;
  return alreadyExists ? (row.statusIfExists ?? row.status) : row.status;
}

export function toErrorReply(event: APIGatewayProxyEvent, error: ApiError): APIGatewayProxyResult {
  const { status } = errorCatalog[error.code];
  const retryAfter = retryAfterSeconds[error.code];
  const { code, message, param } = error;
  const location = { requestId: event.requestContext.requestId, errorsPage: getErrorsPage(event) };
  const body = { ...createErrorBody(status, code, message, location), param };
  return createReply(event, status, body, {
    ...(status === 401 && { 'WWW-Authenticate': authenticationChallenge }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  });
}

/** Returns ERRORS_PAGE or, by default, the errors page of the stage. */
const getErrorsPage = (event: APIGatewayProxyEvent): string =>
  process.env.ERRORS_PAGE || `${getBaseUrl(event)}${errorsPath}`;

const isOperationResult = (result: object): result is OperationResult<object> => 'reply' in result;

const withExpansion = ({ reply, expansion }: OperationResult<object>): object => ({
  ...reply,
  ...expansion,
});

const isPage = (result: object): result is Page<unknown> => 'has_more' in result;

function toListBody(
  row: Operation,
  event: APIGatewayProxyEvent,
  page: Page<unknown>,
  headers: Headers,
): object {
  const { fields } = describeSchema(row.query);
  const linked = row.forwardOnly ? { ...page, has_more: true } : page;
  const link = createLinkHeader(event, linked, (name) => {
    const parameter = getParameterName(row.query, name);
    return fields?.has(parameter) ? parameter : undefined;
  });
  if (link) headers.Link = link;
  return { has_more: page.has_more, data: page.data };
}

const createReply = (
  event: APIGatewayProxyEvent,
  statusCode: number,
  body: object | undefined,
  headers: Headers,
): APIGatewayProxyResult => ({
  statusCode,
  headers: {
    ...(body && { 'Content-Type': 'application/json' }),
    ...fixedHeaders,
    ...allowedOrigin(event),
    'Request-Id': event.requestContext.requestId,
    ...headers,
  },
  body: body ? JSON.stringify(body) : '',
});

/**
 * Returns the CORS headers. The headers allow all origins, or the request's origin if the stage
 * lists that origin.
 */
export function allowedOrigin(event: APIGatewayProxyEvent): Headers {
  const allowed = env('ALLOWED_ORIGINS').split(',');
  if (allowed.includes('*')) return { 'Access-Control-Allow-Origin': '*' };
  const origin = event.headers.origin;
  return {
    Vary: 'Origin',
    ...(origin && allowed.includes(origin) && { 'Access-Control-Allow-Origin': origin }),
  };
}
