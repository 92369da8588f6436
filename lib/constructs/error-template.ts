import {
  catalogBody,
  type ErrorCode,
  errorBody,
  retryAfterSeconds,
} from '../../shared/contract/errors.ts';
import { challenge, fixedHeaders } from '../../shared/contract/headers.ts';
import type { Stage } from '../stages.ts';

/**
 * An error reply as a gateway mapping template: the same shape that handlers send, with the gateway's own request id.
 * `code` and `message` may be `$context` expressions where they are known only at run time.
 */
export const errorTemplate = (
  errorsPage: string,
  status: number,
  code: string,
  message: string,
): string =>
  JSON.stringify(errorBody(status, code, message, { requestId, errorsPage })).replace(
    JSON.stringify(gatewaysMessage),
    gatewaysMessage,
  );

const requestId = '$context.requestId';

/** What the gateway says of a fault itself, as a JSON string with its quotation marks: it may have some within. */
export const gatewaysMessage = '$context.error.messageString';

export const catalogTemplate = (errorsPage: string, code: ErrorCode): string =>
  JSON.stringify(catalogBody(code, { requestId, errorsPage }));

/** A literal in the gateway's mapping language. */
const literal = (value: string | number) => `'${value}'`;

/** The headers of every reply, as values of the gateway's mapping language. */
export const commonHeaders: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(fixedHeaders).map(([name, value]) => [name, literal(value)]),
  ),
  'Request-Id': 'context.requestId',
};

/** The headers of such a reply, likewise. */
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
    ...(status === 401 && { 'WWW-Authenticate': literal(challenge) }),
    ...(retryAfter && { 'Retry-After': literal(retryAfter) }),
  };
};

/**
 * The gateway's mapping language cannot choose from a list. With several allowed origins it names the request's own:
 * what these replies say is no secret, and the handlers' replies, which are, are given to the listed ones only.
 */
const allowedOrigin = ({ allowedOrigins: [first, ...others] }: Stage) =>
  first === undefined || others.length > 0 ? 'method.request.header.Origin' : literal(first);
