import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { type HttpResponse, sendRequest, toBearer } from './http-request.ts';

export interface ApiUser {
  /** Contact id. */
  id: string;
  token: string;
}

export interface OperationInput {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Calls an operation as a user. Returns the response even if its status is an error. */
export function sendOperation(
  url: string,
  user: ApiUser,
  operation: Operation,
  input: OperationInput = {},
): Promise<HttpResponse> {
  const { path = {}, query = {}, body, headers = {} } = input;
  const requestPath = Object.entries(path).reduce<string>(
    (template, [name, value]) => template.replace(`{${name}}`, encodeURIComponent(value)),
    operation.path,
  );
  return sendRequest(`${url}${requestPath}?${new URLSearchParams(query)}`, {
    method: operation.method,
    headers: {
      ...toBearer(user.token),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Returns the status and, for an error, its code or the first 120 characters of its body. */
export function summarize({ status, body }: Pick<HttpResponse, 'status' | 'body'>): string {
  const parsed = v.safeParse(
    v.pipe(v.string(), v.parseJson(), v.object({ code: v.string() })),
    body,
  );
  if (parsed.success) return `${status} ${parsed.output.code}`;
  return status < 300 ? `${status}` : `${status} ${body.replace(/\s+/g, ' ').slice(0, 120)}`.trim();
}

/**
 * Calls an operation and returns its parsed reply. Throws a Problem if the operation fails or the
 * reply does not match the contract.
 */
export async function callOperation<Row extends Operation>(
  url: string,
  user: ApiUser,
  operation: Row,
  input: OperationInput = {},
): Promise<{ reply: v.InferOutput<Row['reply']>; response: HttpResponse }> {
  const response = await sendOperation(url, user, operation, input);
  if (response.status !== operation.status)
    throw new Problem(`${operation.id}: ${summarize(response)}`);
  const parsed = v.safeParse(operation.reply, JSON.parse(response.body));
  if (!parsed.success) throw new Problem(`${operation.id}: the reply does not match the contract`);
  return { reply: parsed.output, response };
}
