import * as v from 'valibot';
import { getFunctionPath } from '../../../lib/function-paths.ts';
import { ErrorReply } from '../../../shared/contract/errors.ts';
import { getSuccessStatuses, type Operation } from '../../../shared/contract/operation.ts';
import { env } from '../../../shared/env.ts';
import { usage } from '../../../shared/log/usage.ts';
import { findBreaches } from '../../response-invariants/check-reply.ts';
import { findUnknownHeaders } from '../../response-invariants/header-rules.ts';
import { toObservedReply } from '../../response-invariants/observed-reply.ts';
import { type Call, toGatewayEvent } from './gateway-event.ts';

export interface Reply<Body = unknown> {
  status: number;
  headers: Record<string, string>;
  body: Body;
}

const Handler = v.object({ handler: v.function() });
const Result = v.object({
  statusCode: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.string(),
});

/** Context with a longer timeout than in Lambda, because calls on a busy machine take longer. */
const context = { getRemainingTimeInMillis: () => 300_000 };

/** Invokes the function that serves the operation. */
export async function invokeHandler(row: Operation, call: Call) {
  const { handler } = v.parse(
    Handler,
    await import(`../../../functions/${getFunctionPath(row)}.ts`),
  );
  return v.parse(Result, await handler(toGatewayEvent(row, call), context));
}

/** Invokes the operation's function. Throws if the reply violates the contract. */
export async function request(row: Operation, call: Call): Promise<Reply> {
  const { statusCode, headers, body } = await invokeHandler(row, call);
  const reply = toObservedReply(statusCode, Object.entries(headers), body);
  const origin = allowedOrigin(call);
  const requestContext = {
    row,
    query: call.query ?? {},
    calls: usage.table_calls,
    allowsOrigin: (shown?: string) => shown === origin,
  };
  const breaches = [...findBreaches(requestContext, reply), ...findUnknownHeaders(reply)];
  if (breaches.length > 0) {
    throw new Error(`${row.id} returned ${statusCode} ${body}; expected: ${breaches.join('; ')}`);
  }
  return { status: statusCode, headers, body: reply.body };
}

/** Returns the `Access-Control-Allow-Origin` header that the stage sends for the call's origin. */
function allowedOrigin({ headers }: Call): string | undefined {
  const allowed = env('ALLOWED_ORIGINS').split(',');
  return allowed.includes('*') ? '*' : allowed.find((one) => one === headers?.Origin);
}

/** Returns the body of a successful call; throws if the call fails. */
export async function ok<Row extends Operation>(
  row: Row,
  call: Call,
): Promise<v.InferOutput<Row['reply']>>;
export async function ok(row: Operation, call: Call): Promise<unknown> {
  const { status, body } = await request(row, call);
  if (getSuccessStatuses(row).includes(status)) return body;
  throw new Error(`${row.id} returned ${status}: ${JSON.stringify(body)}`);
}

/** Returns the error of a failed call, without fields that vary per call. */
export async function refused(row: Operation, call: Call) {
  const { status, body } = await request(row, call);
  const { code, param, message, type } = v.parse(ErrorReply, body);
  return { status, type, code, param, message };
}
