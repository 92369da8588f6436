import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { ApiError } from '../api-error.ts';
import { beginInvocation } from '../log/invocation.ts';
import { toErrorReply } from './reply/to-reply.ts';
import { lowerCaseHeaders } from './request/lower-case-headers.ts';
import { logRequest } from './request-log.ts';

/** A reply of raw bytes: the gateway neither decodes nor compresses streamed replies. */
export interface StreamedReply {
  statusCode: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Returns a function for an integration that streams. It returns raw bytes without
 * `binaryMediaTypes` for the whole API. Thrown errors become errors of the catalog.
 *
 * @see
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
 */
export const serveStreamed = (
  name: string,
  answer: (event: APIGatewayProxyEvent) => StreamedReply,
) =>
  awslambda.streamifyResponse(
    async (
      rawEvent: APIGatewayProxyEvent,
      stream: awslambda.HttpResponseStream,
      context: Context,
    ) => {
      beginInvocation();
      const event = { ...rawEvent, headers: lowerCaseHeaders(rawEvent.headers) };
      const { body, ...metadata } = handleStreamed(name, event, context, answer);
      const reply = awslambda.HttpResponseStream.from(stream, metadata);
      // A stream without a write would not send its metadata.
      reply.write(body);
      reply.end();
    },
  );

function handleStreamed(
  name: string,
  event: APIGatewayProxyEvent,
  context: Context,
  answer: (event: APIGatewayProxyEvent) => StreamedReply,
): StreamedReply {
  try {
    const response = answer(event);
    const { statusCode, headers } = response;
    logRequest({ id: name }, { event, context, response: { statusCode, headers, body: '' } });
    return response;
  } catch (cause) {
    const error = cause instanceof ApiError ? cause : new ApiError('internal_error', { cause });
    const response = toErrorReply(event, error);
    logRequest({ id: name }, { event, context, response, error });
    const headers = Object.entries(response.headers ?? {}).map(([key, value]) => [key, `${value}`]);
    return {
      statusCode: response.statusCode,
      headers: Object.fromEntries(headers),
      body: Buffer.from(response.body),
    };
  }
}
