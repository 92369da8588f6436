import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Answer, Operation, Output } from '../contract/operation.ts';
import { ApiError } from '../errors.ts';
import { log } from '../log.ts';
import { resetUsage, usage } from '../usage.ts';
import { parseBody } from './body.ts';
import { type Request, readRequest } from './read-request.ts';
import { errorReplyOf, replyOf } from './reply.ts';

/**
 * The Lambda function of an operation: the input is checked against its row, `handle` makes the operation's
 * difference, and its result becomes the reply that the row promises. Whatever is thrown becomes an error of the
 * catalog; what is not an ApiError is a fault of ours, logged and told as `internal_error` without its cause.
 */
export const serve = <const Row extends Operation>(
  row: Row,
  handle: (request: Request<Row>) => Promise<(Output<Row> & object) | Answer<Output<Row> & object>>,
) =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use({
      before: ({ event }) => {
        resetUsage();
        event.headers = lowerCased(event.headers);
      },
      after: ({ event, response }) => {
        if (response) logRequest(row, event, response);
      },
      onError: (request) => {
        const error = asApiError(request.error);
        request.response = errorReplyOf(request.event, error);
        logRequest(row, request.event, request.response, error);
      },
    })
    .use(row.body ? parseBody() : [])
    .handler(async (event: APIGatewayProxyEvent) =>
      replyOf(row, event, await handle(readRequest(row, event))),
    );

/** Header names have no case; clients and proxies write them in any. */
const lowerCased = (headers: APIGatewayProxyEvent['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // The JSON parser's word for what does not parse.
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return new ApiError(status === 422 ? 'body_malformed' : 'internal_error', { cause: error });
}

function logRequest(
  row: Operation,
  event: APIGatewayProxyEvent,
  { statusCode }: APIGatewayProxyResult,
  error?: ApiError,
): void {
  log({
    level: statusCode >= 500 ? 'error' : 'info',
    operation: row.id,
    request_id: event.requestContext.requestId,
    status: statusCode,
    ...usage,
    ...(error && { code: error.code }),
    ...(error && statusCode >= 500 && { cause: describe(error.cause ?? error) }),
  });
}

const describe = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
