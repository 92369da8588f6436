import { type Params, queryOf, withPath } from './address.ts';
import { ApiError, NoReplyError } from './api-error.ts';
import { attempt, pause, type Reply } from './attempt.ts';
import type { Answer } from './call.ts';
import { errorOf } from './error-of.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { pauseAfter } from './random.ts';
import { type Tokens, tokensOf } from './tokens.ts';

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With parameters in braces. */
  path: string;
  params?: object | undefined;
  /** Names of the parameters that belong to the query, of a request with a body. */
  inQuery?: readonly string[] | undefined;
  headers?: Record<string, string>;
}

/** An answer with its headers: those of a list tell where to go on. */
export interface FullAnswer<Result> extends Answer<Result> {
  readonly headers: Reply['headers'];
}

/** Sends requests as the client's options say. */
export interface Core {
  send<Result>(request: Request, options?: CallOptions): Promise<FullAnswer<Result>>;
  token: Tokens;
}

/** Statuses that waiting cures. */
const passing = [409, 429, 500, 502, 503, 504];

export function coreOf(client: ClientOptions): Core {
  const base = client.url.replace(/\/+$/, '');
  const token = tokensOf(client.token);
  const fetch = client.fetch ?? ((url, init) => globalThis.fetch(url, init));

  return {
    token,
    send: async (request, options = {}) => {
      const retries = options.retries ?? client.retries ?? 4;
      const timeout = options.timeout ?? client.timeout ?? 30_000;
      const end = Date.now() + (options.totalTimeout ?? client.totalTimeout ?? 90_000);
      const { signal } = options;
      const { address, ...init } = initOf(request);
      let [tries, fresh, hasRenewed] = [0, false, false];
      for (;;) {
        const headers = { ...init.headers, Authorization: `Bearer ${await token({ fresh })}` };
        const limits = { timeout: Math.min(timeout, end - Date.now()), signal };
        const outcome = await attempt(fetch, base + address, { ...init, headers }, limits);
        if (!(outcome instanceof Error) && isGood(outcome)) return answerOf(outcome);

        const error = outcome instanceof Error ? outcome : errorOf(outcome);
        fresh = isExpiry(error) && token.renews && !hasRenewed;
        if (fresh) {
          hasRenewed = true;
          continue;
        }
        const wait = pauseAfter(tries) + 1000 * (('retryAfter' in error && error.retryAfter) || 0);
        tries += 1;
        if (!passes(error) || tries > retries || Date.now() + wait >= end) throw error;
        await pause(wait, signal);
      }
    },
  };
}

const isGood = ({ status }: Reply) => status === 304 || (status >= 200 && status < 300);

const isExpiry = (error: ApiError | NoReplyError) =>
  error instanceof ApiError && error.code === 'token_expired';

const passes = (error: ApiError | NoReplyError) =>
  error instanceof NoReplyError || passing.includes(error.status);

/** What fetch is told, and the address below the API's. */
function initOf({ method, path, params, inQuery = [], headers = {} }: Request) {
  const { path: place, others } = withPath(path, { ...params });
  if (method !== 'POST' && method !== 'PUT') {
    return { method, address: place + queryOf(others), headers };
  }
  const isInQuery = ([name]: [string, unknown]) => inQuery.includes(name);
  const fields = Object.entries(others);
  const query: Params = Object.fromEntries(fields.filter(isInQuery));
  return {
    method,
    address: place + queryOf(query),
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(fields.filter((field) => !isInQuery(field)))),
  };
}

/** Throws what `errorOf` makes of a reply that is none of the API's. */
function answerOf(reply: Reply) {
  const { status, headers, text } = reply;
  return {
    data: status === 304 ? null : parsed(reply, text),
    status,
    etag: headers.get('ETag'),
    requestId: headers.get('Request-Id'),
    replayed: headers.get('Idempotent-Replayed') === 'true',
    headers,
  };
}

/** What the API answers is as its types say: nothing checks it again here. */
function parsed(reply: Reply, text: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw errorOf({ ...reply, text: '' });
  }
}
