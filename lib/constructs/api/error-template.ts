import {
  createCatalogErrorBody,
  createErrorBody,
  type ErrorCode,
  retryAfterSeconds,
} from '../../../shared/contract/errors.ts';
import { authenticationChallenge, fixedHeaders } from '../../../shared/contract/headers.ts';
import type { Stage } from '../../stages.ts';

/**
 * Returns a mapping template for an error reply in the handlers' format. `code` and `message` may
 * be `$context` expressions.
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

/** The gateway's error message, as a JSON string including its quotation marks. */
export const gatewayMessage = '$context.error.messageString';

export const catalogTemplate = (errorsPage: string, code: ErrorCode): string =>
  JSON.stringify(createCatalogErrorBody(code, { requestId, errorsPage }));

const literal = (value: string | number) => `'${value}'`;

/** Headers of every reply, as parameter mapping expressions. */
export const commonHeaders: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(fixedHeaders).map(([name, value]) => [name, literal(value)]),
  ),
  'Request-Id': 'context.requestId',
};

/** Returns the headers of an error reply, as parameter mapping expressions. */
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
 * Returns the allowed origin as a mapping expression. If the stage has no allowed origin or
 * several, returns the request's origin, because an expression cannot choose from a list. This is
 * safe: error replies of the gateway contain no user data.
 */
const allowedOrigin = ({ allowedOrigins: [first, ...others] }: Stage) =>
  first === undefined || others.length > 0 ? 'method.request.header.Origin' : literal(first);
