import {
  type ErrorCode,
  errorCatalog,
  errorsPath,
  getErrorType,
  retryAfterSeconds,
  toDocumentationUrl,
} from '../../shared/contract/errors.ts';
import { authenticationChallenge, fixedHeaders } from '../../shared/contract/headers.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { type ObservedReply, toObservedReply } from './observed-reply.ts';

type Headers = Record<string, string>;

export const goodReply = (row: Operation, body: object, headers: Headers = {}): ObservedReply =>
  withHeaders(row.status, body, {
    ...(row.versioned && { ETag: `"${'1'.repeat(22)}"` }),
    ...(row.forwardOnly && { Link: '<http://here/v1/x?starting_after=y>; rel="next"' }),
    ...(row.status === 201 &&
      'id' in body && { Location: `http://here${row.path}/${String(body.id)}` }),
    ...headers,
  });

export function errorReply(code: ErrorCode, param: string | null = null): ObservedReply {
  const { status } = errorCatalog[code];
  const after = retryAfterSeconds[code];
  const body = {
    ...{ type: getErrorType(status), code, message: '', param },
    ...{
      request_id: 'request',
      documentation_url: toDocumentationUrl(`http://here${errorsPath}`, code),
    },
  };
  return withHeaders(status, body, {
    ...(after !== undefined && { 'Retry-After': String(after) }),
    ...(status === 401 && { 'WWW-Authenticate': authenticationChallenge }),
  });
}

function withHeaders(status: number, body: object, own: Headers): ObservedReply {
  const headers: Headers = {
    ...fixedHeaders,
    'Content-Type': 'application/json',
    'Access-Control-Allow-Origin': '*',
    'Request-Id': 'request',
    ...own,
  };
  return toObservedReply(status, Object.entries(headers), JSON.stringify(body));
}
