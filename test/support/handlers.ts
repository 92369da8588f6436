import * as v from 'valibot';
import { type ErrorCode, ErrorReply, errorCatalog } from '../../shared/contract/errors.ts';
import { type Operation, sharedErrors } from '../../shared/contract/operation.ts';
import { type Call, eventOf } from './event.ts';

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

/** What an operation's handler answers, its body as text. */
export async function answerTo(row: Operation, call: Call) {
  const { handler } = v.parse(Handler, await import(`../../functions/${row.id}.ts`));
  return v.parse(Result, await handler(eventOf(row, call), {}));
}

/** Calls an operation's handler, and holds the reply against the contract: status, body, errors. */
export async function request(row: Operation, call: Call): Promise<Reply> {
  const result = await answerTo(row, call);
  const reply = {
    status: result.statusCode,
    headers: result.headers,
    body: result.body === '' ? '' : JSON.parse(result.body),
  };
  checkAgainst(row, reply);
  return reply;
}

function checkAgainst(row: Operation, { status, headers, body }: Reply): void {
  if (status === 304 || status === row.status) {
    v.assert(status === 304 ? v.literal('') : row.reply, body);
    return;
  }
  const { code, request_id } = v.parse(ErrorReply, body);
  const promised: readonly ErrorCode[] = [...row.errors, ...sharedErrors];
  const known = promised.find((one) => one === code);
  if (!known) throw new Error(`${row.id} answers '${code}', which its row does not name.`);
  v.assert(v.literal(errorCatalog[known].status), status);
  v.assert(v.literal(request_id), headers['Request-Id']);
}

/** The body of a call that succeeds. */
export async function ok<Row extends Operation>(
  row: Row,
  call: Call,
): Promise<v.InferOutput<Row['reply']>>;
export async function ok(row: Operation, call: Call): Promise<unknown> {
  const { status, body } = await request(row, call);
  if (status === row.status) return body;
  throw new Error(`${row.id} answered ${status}: ${JSON.stringify(body)}`);
}

/** The error of a call that is refused, without what differs from call to call. */
export async function refused(row: Operation, call: Call) {
  const { status, body } = await request(row, call);
  const { code, param, message, type } = v.parse(ErrorReply, body);
  return { status, type, code, param, message };
}
