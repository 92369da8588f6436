import * as v from 'valibot';
import { ErrorReply, errorsPath, toDocumentationUrl } from '../../../shared/contract/errors.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { env } from '../../../shared/env.ts';
import { findBreaches } from '../../response-invariants/check-reply.ts';
import { toObservedReply } from '../../response-invariants/observed-reply.ts';
import type { RequestContext } from '../../response-invariants/request-context.ts';
import { isSupportedByClient, type Sent, sendByClient } from './send-by-client.ts';

const Groups = v.optional(v.array(v.string()));
const Claims = v.object({ sub: v.string(), groups: Groups, 'cognito:groups': Groups });

export type { Sent };

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

/** Returns the stage's first allowed origin, or `*` if it allows all origins. */
export const allowedOrigin = () => process.env.ALLOWED_ORIGIN ?? '*';

/** Sends a request from an allowed origin. `path` starts with a slash. */
export function fetchPath(path: string, init: RequestInit = {}): Promise<Response> {
  return fetchFromAllowedOrigin(`${baseUrl()}${path}`, init);
}

export function fetchFromAllowedOrigin(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (allowedOrigin() !== '*' && !headers.has('Origin')) headers.set('Origin', allowedOrigin());
  return fetch(url, { ...init, headers });
}

const baseUrl = () => env('API_URL').replace(/\/$/, '');

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Calls an operation and checks the reply against the contract. Throws on an error reply. */
export async function call<Row extends Operation>(
  user: Person,
  row: Row,
  sent?: Sent,
): Promise<v.InferOutput<Row['reply']>>;
export async function call(user: Person, row: Operation, sent: Sent = {}): Promise<unknown> {
  const body = await parseReply({ row, query: sent.query ?? {} }, await send(user, row, sent));
  const { success, output } = v.safeParse(row.reply, body);
  if (!success) throw new Error(`${row.id} returned ${JSON.stringify(body)}`);
  return output;
}

/** Sends a request. With SCENARIOS_BY=client, uses the client for requests that it supports. */
export function send(user: Person, row: Operation, sent: Sent): Promise<Response> {
  if (process.env.SCENARIOS_BY === 'client' && isSupportedByClient(sent)) {
    return sendByClient({ url: baseUrl(), user, row, sent, fetch: fetchFromAllowedOrigin });
  }
  const { path = {}, query = {}, body, headers } = sent;
  const address = Object.entries(path).reduce<string>(
    (template, [name, value]) => template.replace(`{${name}}`, encodeURIComponent(value)),
    row.path,
  );
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return fetchPath(`${address}?${new URLSearchParams(pairs)}`, {
    method: row.method,
    headers: {
      ...bearer(user.token),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/**
 * Checks an error reply against the contract and the errors page. Returns the error's code and
 * parameter. `row` is undefined for unknown paths.
 */
export async function getError(
  row: Operation | undefined,
  response: Response,
): Promise<{ code: string; param: string | null }> {
  const error = v.parse(ErrorReply, await parseReply({ row }, response));
  const { code, param, documentation_url } = error;
  const own = `${baseUrl()}${errorsPath}`;
  const expected = toDocumentationUrl(process.env.ERRORS_PAGE || own, code);
  if (documentation_url !== expected)
    throw new Error(`documentation_url is ${documentation_url}, not ${expected}`);
  // An errors page published elsewhere is not part of the stage.
  if (documentation_url.startsWith(own)) await requireErrorsPageEntry(own, code);
  return { code, param };
}

const pages = new Map<string, Promise<string>>();

async function requireErrorsPageEntry(page: string, id: string): Promise<void> {
  const reading = pages.get(page) ?? fetch(page).then(textOf);
  pages.set(page, reading);
  if (!(await reading).includes(` id="${id}"`))
    throw new Error(`${page} has no element with the id ${id}.`);
}

async function textOf(response: Response): Promise<string> {
  if (response.status !== 200) throw new Error(`${response.url} returned ${response.status}.`);
  return response.text();
}

/** Returns the body of a reply. Throws if the reply breaches the contract. */
export async function parseReply(context: RequestContext, response: Response): Promise<unknown> {
  const reply = toObservedReply(response.status, response.headers, await response.text());
  const allowsOrigin = (shown?: string) => shown === allowedOrigin();
  const breaches = findBreaches({ ...context, allowsOrigin }, reply);
  if (breaches.length === 0) return reply.body;
  const replyText = `${reply.status} ${JSON.stringify(reply.body)?.slice(0, 1000)}`;
  throw new Error(
    `${context.row?.id} returned ${replyText}, which violates: ${breaches.join('; ')}`,
  );
}
