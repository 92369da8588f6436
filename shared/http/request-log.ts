import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { ApiError } from '../api-error.ts';
import { describeCause } from '../log/describe-cause.ts';
import { logInvocation } from '../log/log-invocation.ts';
import { toShortHash } from '../log/short-hash.ts';
import { usage } from '../log/usage.ts';

export interface Replied {
  event: APIGatewayProxyEvent;
  context: Partial<Context>;
  response: APIGatewayProxyResult;
  error?: ApiError;
}

/** Writes the log line of a request. Omits the content of the request and the reply. */
export function logRequest(
  { id }: { id: string },
  { event, context, response, error }: Replied,
): void {
  const { statusCode: status, headers } = response;
  const { requestId, authorizer } = event.requestContext;
  const isFault = status >= 500;
  logInvocation(context, {
    operation: id,
    /** Equals the reply's Request-Id and the id in the gateway's log. */
    request_id: requestId,
    caller: authorizer ? toShortHash(String(authorizer.contact_id)) : undefined,
    status,
    code: error?.code,
    ...usage,
    replayed: Number(headers?.['Idempotent-Replayed'] === 'true'),
    fault: isFault,
    cause: isFault && error ? describeCause(error) : undefined,
  });
}
