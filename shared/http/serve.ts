import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { ApiError } from '../api-error.ts';
import type { Operation, OperationResult, Output } from '../contract/operation.ts';
import { withDeadline } from '../deadline.ts';
import { functionLimits } from '../function-limits.ts';
import { beginInvocation } from '../log/invocation.ts';
import { createRequestLimit } from '../table/request-counts.ts';
import { toErrorReply, toReply } from './reply/to-reply.ts';
import { createBodyParsers } from './request/body.ts';
import { lowerCaseHeaders } from './request/lower-case-headers.ts';
import { type OperationRequest, readRequest } from './request/read-request.ts';
import { logRequest } from './request-log.ts';

/**
 * Returns the Lambda function of an operation. The function counts the request toward the caller's
 * limit, if any. Unknown errors become `internal_error`.
 */
export const serve = <const Row extends Operation>(
  row: Row,
  handle: (
    request: OperationRequest<Row>,
  ) => Promise<(Output<Row> & object) | OperationResult<Output<Row> & object>>,
) =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use({
      before: ({ event }) => {
        beginInvocation();
        event.headers = lowerCaseHeaders(event.headers);
      },
      after: ({ event, context, response }) => {
        if (response) logRequest(row, { event, context, response });
      },
      onError: (request) => {
        const { event, context } = request;
        const error = toApiError(request.error);
        const response = toErrorReply(event, error);
        request.response = response;
        logRequest(row, { event, context, response, error });
      },
    })
    .use(row.body ? createBodyParsers() : [])
    .handler((event: APIGatewayProxyEvent, context) =>
      withDeadline(getTimeBudget(context), async () => {
        await limitRequests(event);
        return toReply(row, event, await handle(readRequest(row, event)));
      }),
    );

const requestLimit = createRequestLimit();

async function limitRequests({ requestContext: { authorizer } }: APIGatewayProxyEvent) {
  const limit = Number(process.env.REQUESTS_PER_MINUTE_PER_PERSON);
  if (limit > 0) await requestLimit(String(authorizer?.contact_id), limit);
}

/**
 * Milliseconds of the function's time reserved for the error reply. The reserve suffices even on a
 * slow machine.
 */
const reserveMilliseconds = 1500;
/** Remaining milliseconds to assume if there is no Lambda time limit, as in tests. */
const defaultMilliseconds = functionLimits.request.timeoutSeconds * 1000;

const getTimeBudget = ({ getRemainingTimeInMillis }: Partial<Context>): number =>
  (getRemainingTimeInMillis?.() ?? defaultMilliseconds) - reserveMilliseconds;

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // The JSON parser sets the status to 422 for malformed JSON.
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return new ApiError(status === 422 ? 'body_malformed' : 'internal_error', { cause: error });
}
