import {
  createCatalogErrorBody,
  createErrorBody,
  type ErrorCode,
  retryAfterSeconds,
} from '../../../shared/contract/errors.ts';
import { authenticationChallenge, fixedHeaders } from '../../../shared/contract/headers.ts';
import type { Stage } from '../../stages.ts';

/**
 * Returns an error reply as a mapping template of the gateway, in the handlers' format, with the
 * gateway's request id. `code` and `message` may be `$context` expressions.
 */
export const errorTemplate = (
  errorsPage: string,
  status: number,
  code: string,
  message: string,
): string =>
  JSON.stringify(createErrorBody(status, code, message, { requestId, errorsPage })).replace(
    JSON.stringify(gatewayMessage),
    gatewayMessage,
  );

const requestId = '$context.requestId';

/** The gateway's own error message, as a JSON string with its quotation marks. */
export const gatewayMessage = '$context.error.messageString';

export const catalogTemplate = (errorsPage: string, code: ErrorCode): string =>
  JSON.stringify(createCatalogErrorBody(code, { requestId, errorsPage }));

/** Returns a literal of the mapping language. */
const literal = (value: string | number) => `'${value}'`;

/** Headers of every reply, as values of the mapping language. */
export const commonHeaders: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(fixedHeaders).map(([name, value]) => [name, literal(value)]),
  ),
  'Request-Id': 'context.requestId',
};

/** Returns the headers of an error reply, as values of the mapping language. */
export const errorHeaders = (
  stage: Stage,
  status: number,
  code?: ErrorCode,
): Record<string, string> => {
  const retryAfter = code && retryAfterSeconds[code];
  return {
    ...commonHeaders,
    'Access-Control-Allow-Origin': allowedOrigin(stage),
    ...(stage.allowedOrigins.length > 1 && { Vary: literal('Origin') }),
    ...(status === 401 && { 'WWW-Authenticate': literal(authenticationChallenge) }),
    ...(retryAfter && { 'Retry-After': literal(retryAfter) }),
  };
};

/**
 * Returns the allowed origin. If there are several, returns the request's own, because the mapping
 * language cannot choose from a list. These replies are not secret, unlike those of handlers, which
 * allow only listed origins.
 */
const allowedOrigin = ({ allowedOrigins: [first, ...others] }: Stage) =>
  first === undefined || others.length > 0 ? 'method.request.header.Origin' : literal(first);
