import * as v from 'valibot';
import { type ErrorCode, ErrorReply, errorCatalog } from '../../../shared/contract/errors.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { env } from '../../../shared/env.ts';

const Groups = v.optional(v.array(v.string()));
const Claims = v.object({ sub: v.string(), groups: Groups, 'cognito:groups': Groups });

/** Somebody with a token of the stage under test. */
export interface Person {
  id: string;
  token: string;
}

export interface Member extends Person {
  groups: readonly string[];
}

export function person(name: 'ANN' | 'BOB' | 'CAROL'): Member {
  const token = env(name);
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  const { sub, ...said } = v.parse(Claims, JSON.parse(claims));
  return { id: sub, token, groups: said.groups ?? said['cognito:groups'] ?? [] };
}

export interface Sent {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Asks the API for anything; `path` starts with a slash. */
export const ask = (path: string, init: RequestInit = {}) => fetch(`${baseUrl()}${path}`, init);

const baseUrl = () => env('API_URL').replace(/\/$/, '');

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Calls an operation as somebody, and holds a successful reply against the contract. */
export async function call<Row extends Operation>(
  who: Person,
  row: Row,
  sent?: Sent,
): Promise<v.InferOutput<Row['reply']>>;
export async function call(who: Person, row: Operation, sent: Sent = {}): Promise<unknown> {
  const response = await send(who, row, sent);
  const body: unknown = await response.json();
  if (response.status !== row.status) {
    throw new Error(`${row.id} answered ${response.status}: ${JSON.stringify(body)}`);
  }
  return v.parse(row.reply, body);
}

export function send(who: Person, row: Operation, sent: Sent): Promise<Response> {
  const { path = {}, query = {}, body, headers } = sent;
  const address = Object.entries(path).reduce<string>(
    (template, [name, value]) => template.replace(`{${name}}`, encodeURIComponent(value)),
    row.path,
  );
  return ask(`${address}?${new URLSearchParams(query)}`, {
    method: row.method,
    headers: {
      ...bearer(who.token),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** Holds an error against the contract: status, shape, headers; gives what it names. */
export async function errorOf(response: Response): Promise<{ code: string; param: string | null }> {
  const text = await response.text();
  const { code, param, request_id } = v.parse(ErrorReply, JSON.parse(text));
  const { status } = errorCatalog[v.parse(ErrorCodeName, code)];
  const { headers } = response;
  v.assert(
    v.object({
      status: v.literal(status),
      type: v.literal('application/json'),
      request_id: v.literal(request_id),
      origin: v.string(),
      challenge: status === 401 ? v.literal('Bearer') : v.null(),
    }),
    {
      status: response.status,
      type: headers.get('Content-Type'),
      request_id: headers.get('Request-Id'),
      origin: headers.get('Access-Control-Allow-Origin'),
      challenge: headers.get('WWW-Authenticate'),
    },
  );
  return { code, param };
}

const ErrorCodeName = v.custom<ErrorCode>(
  (code) => typeof code === 'string' && Object.hasOwn(errorCatalog, code),
);
