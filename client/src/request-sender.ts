import { ApiError, NoReplyError } from './api-error.ts';
import type { Answer } from './call.ts';
import { attemptFetch, pause, type Reply } from './fetch-attempt.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { expandPath, type Params, toQueryString } from './request-url.ts';
import { getRetryDelay } from './retry-delay.ts';
import { toApiError } from './to-api-error.ts';
import { createTokenProvider, type TokenProvider } from './token-provider.ts';

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
export interface AnswerWithHeaders<Result> extends Answer<Result> {
  readonly headers: Reply['headers'];
}

/** Sends requests as the client's options say. */
export interface RequestSender {
  send<Result>(request: Request, options?: CallOptions): Promise<AnswerWithHeaders<Result>>;
  token: TokenProvider;
}

/** Statuses that waiting cures. */
const retryableStatuses = [409, 429, 500, 502, 503, 504];

export function createRequestSender(client: ClientOptions): RequestSender {
  const base = client.url.replace(/\/+$/, '');
  const token = createTokenProvider(client.token);
  const fetch = client.fetch ?? ((url, init) => globalThis.fetch(url, init));

  return {
    token,
    send: async (request, options = {}) => {
      const retries = options.retries ?? client.retries ?? 4;
      const timeout = options.timeout ?? client.timeout ?? 30_000;
      const deadline = Date.now() + (options.totalTimeout ?? client.totalTimeout ?? 90_000);
      const { signal } = options;
      const { address, ...init } = toFetchInit(request);
      let [attempts, fresh, hasRenewed] = [0, false, false];
      for (;;) {
        const headers = { ...init.headers, Authorization: `Bearer ${await token({ fresh })}` };
        const limits = { timeout: Math.min(timeout, deadline - Date.now()), signal };
        const outcome = await attemptFetch(fetch, base + address, { ...init, headers }, limits);
        if (!(outcome instanceof Error) && isSuccess(outcome)) return toAnswer(outcome);

        const error = outcome instanceof Error ? outcome : toApiError(outcome);
        fresh = isTokenExpired(error) && token.renews && !hasRenewed;
        if (fresh) {
          hasRenewed = true;
          continue;
        }
        const wait =
          getRetryDelay(attempts) + 1000 * (('retryAfter' in error && error.retryAfter) || 0);
        attempts += 1;
        if (!isRetryable(error) || attempts > retries || Date.now() + wait >= deadline) throw error;
        await pause(wait, signal);
      }
    },
  };
}

const isSuccess = ({ status }: Reply) => status === 304 || (status >= 200 && status < 300);

const isTokenExpired = (error: ApiError | NoReplyError) =>
  error instanceof ApiError && error.code === 'token_expired';

const isRetryable = (error: ApiError | NoReplyError) =>
  error instanceof NoReplyError || retryableStatuses.includes(error.status);

/** What fetch is told, and the address below the API's. */
function toFetchInit({ method, path, params, inQuery = [], headers = {} }: Request) {
  const { path: pathname, others } = expandPath(path, { ...params });
  if (method !== 'POST' && method !== 'PUT') {
    return { method, address: pathname + toQueryString(others), headers };
  }
  const isInQuery = ([name]: [string, unknown]) => inQuery.includes(name);
  const fields = Object.entries(others);
  const query: Params = Object.fromEntries(fields.filter(isInQuery));
  return {
    method,
    address: pathname + toQueryString(query),
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(fields.filter((field) => !isInQuery(field)))),
  };
}

/** Throws what `errorOf` makes of a reply that is none of the API's. */
function toAnswer(reply: Reply) {
  const { status, headers, text } = reply;
  return {
    data: status === 304 ? null : parseBody(reply, text),
    status,
    etag: headers.get('ETag'),
    requestId: headers.get('Request-Id'),
    replayed: headers.get('Idempotent-Replayed') === 'true',
    headers,
  };
}

/** What the API answers is as its types say: nothing checks it again here. */
function parseBody(reply: Reply, text: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw toApiError({ ...reply, text: '' });
  }
}
