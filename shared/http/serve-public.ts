import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { ApiError } from '../api-error.ts';
import { beginInvocation } from '../log/invocation.ts';
import { toErrorReply } from './reply/to-reply.ts';
import { lowerCaseHeaders } from './request/lower-case-headers.ts';
import { logRequest } from './request-log.ts';

/**
 * Returns the Lambda function for a path that is outside the contract and requires no token.
 * Converts thrown errors to catalog errors.
 */
export const servePublic =
  (id: string, handleRequest: (event: APIGatewayProxyEvent) => APIGatewayProxyResult) =>
  async (rawEvent: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    beginInvocation();
    const event = { ...rawEvent, headers: lowerCaseHeaders(rawEvent.headers) };
    try {
      const response = handleRequest(event);
      logRequest({ id }, { event, context, response });
      return response;
    } catch (cause) {
      const error = cause instanceof ApiError ? cause : new ApiError('internal_error', { cause });
      const response = toErrorReply(event, error);
      logRequest({ id }, { event, context, response, error });
      return response;
    }
  };
