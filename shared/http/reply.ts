import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { errorBody, errorCatalog, errorsPath, retryAfterSeconds } from '../contract/errors.ts';
import { challenge, fixedHeaders } from '../contract/headers.ts';
import type { Page } from '../contract/list.ts';
import type { Answer, Operation } from '../contract/operation.ts';
import { shapeOf } from '../contract/shape.ts';
import { env } from '../env.ts';
import type { ApiError } from '../errors.ts';
import { etagOf, isKnown } from '../etag.ts';
import { addressOf, baseAddressOf, links } from './links.ts';
import { parameterOf } from './query.ts';

type Headers = Record<string, string>;

/** Returns the reply of a handler's result: status, body and headers of the row. */
export function replyOf(
  row: Operation,
  event: APIGatewayProxyEvent,
  result: object,
): APIGatewayProxyResult {
  const answered: Answer<object> = isAnswer(result) ? result : { reply: result };
  const headers: Headers = answered.replayed ? { 'Idempotent-Replayed': 'true' } : {};
  const given = answered.reply;
  const body = row.list && isPage(given) ? listBody(row, event, given, headers) : whole(answered);
  if (row.status === 201 && 'id' in body) headers.Location = `${addressOf(event)}/${body.id}`;
  if (row.versioned) {
    headers.ETag = etagOf(answered);
    // Expanded fields may have changed although the resource has not.
    const mayBeKnown = row.method === 'GET' && !answered.expansion;
    if (mayBeKnown && isKnown(event.headers['if-none-match'], headers.ETag)) {
      return reply(event, 304, undefined, headers);
    }
  }
  return reply(
    event,
    answered.found ? (row.statusOfFound ?? row.status) : row.status,
    body,
    headers,
  );
}

export function errorReplyOf(event: APIGatewayProxyEvent, error: ApiError): APIGatewayProxyResult {
  const { status } = errorCatalog[error.code];
  const retryAfter = retryAfterSeconds[error.code];
  const { code, message, param } = error;
  const sequence = { requestId: event.requestContext.requestId, errorsPage: errorsPageOf(event) };
  const body = { ...errorBody(status, code, message, sequence), param };
  return reply(event, status, body, {
    ...(status === 401 && { 'WWW-Authenticate': challenge }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  });
}

/**
 * Returns the page of error codes: that of the stage at the requested address, unless the stage
 * names another.
 */
const errorsPageOf = (event: APIGatewayProxyEvent): string =>
  process.env.ERRORS_PAGE || `${baseAddressOf(event)}${errorsPath}`;

const isAnswer = (result: object): result is Answer<object> => 'reply' in result;

const whole = ({ reply, expansion }: Answer<object>): object => ({ ...reply, ...expansion });

const isPage = (result: object): result is Page<unknown> => 'has_more' in result;

function listBody(
  row: Operation,
  event: APIGatewayProxyEvent,
  page: Page<unknown>,
  headers: Headers,
): object {
  const { fields } = shapeOf(row.query);
  const linked = row.endless ? { ...page, has_more: true } : page;
  const link = links(event, linked, (name) => {
    const parameter = parameterOf(row.query, name);
    return fields?.has(parameter) ? parameter : undefined;
  });
  if (link) headers.Link = link;
  return { has_more: page.has_more, data: page.data };
}

const reply = (
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

/** Returns all origins, or the request's origin if the stage lists it. */
export function allowedOrigin(event: APIGatewayProxyEvent): Headers {
  const allowed = env('ALLOWED_ORIGINS').split(',');
  if (allowed.includes('*')) return { 'Access-Control-Allow-Origin': '*' };
  const origin = event.headers.origin;
  return {
    Vary: 'Origin',
    ...(origin && allowed.includes(origin) && { 'Access-Control-Allow-Origin': origin }),
  };
}
