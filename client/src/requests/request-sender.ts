import { ApiError, NoReplyError } from '../api-error.ts';
import type { CallOptions, ClientOptions, Fetch, RetryOptions } from '../options.ts';
import type { ApiResponse } from './call.ts';
import { attemptFetch, pause, type Reply } from './fetch-attempt.ts';
import { getMonotonicTime } from './monotonic-clock.ts';
import { expandPath, type Params, toQueryString } from './request-url.ts';
import { getRetryDelay } from './retry-delay.ts';
import { toApiError } from './to-api-error.ts';
import { createTokenProvider, type TokenProvider } from './token-provider.ts';

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with parameters in braces. */
  path: string;
  params?: object | undefined;
  /** Names of the query parameters, if the request has a body. */
  inQuery?: readonly string[] | undefined;
  headers?: Record<string, string>;
}

/** A response with its headers. For a list, `Link` has the cursors of the adjacent pages. */
export interface ApiResponseWithHeaders<Result> extends ApiResponse<Result> {
  readonly headers: Reply['headers'];
}

export interface RequestSender {
  send<Result>(request: Request, options?: CallOptions): Promise<ApiResponseWithHeaders<Result>>;
  token: TokenProvider;
  /**
   * Calls the listener when a request fails without a reply. Returns a function that removes the
   * listener.
   */
  onNoReply(listener: (error: NoReplyError) => void): () => void;
}

/** Status codes of temporary failures: a retry of a valid request may succeed. */
const retryableStatuses = [429, 500, 502, 503, 504];

interface SenderContext {
  readonly base: string;
  readonly fetch: Fetch;
  readonly token: TokenProvider;
  readonly defaults: RetryOptions;
}

export function createRequestSender(options: ClientOptions): RequestSender {
  const context: SenderContext = {
    base: options.url.replace(/\/+$/, ''),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    token: createTokenProvider(options.token),
    defaults: options,
  };
  const listeners = new Set<(error: NoReplyError) => void>();
  return {
    token: context.token,
    send: async (request, callOptions = {}) => {
      try {
        return await sendWithRetries(context, request, callOptions);
      } catch (error) {
        if (error instanceof NoReplyError) for (const listener of listeners) listener(error);
        throw error;
      }
    },
    onNoReply: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function sendWithRetries(context: SenderContext, request: Request, options: CallOptions) {
  const { defaults } = context;
  const retries = options.retries ?? defaults.retries ?? 4;
  const deadline = getMonotonicTime() + (options.totalTimeout ?? defaults.totalTimeout ?? 90_000);
  for (let failures = 0; ; failures += 1) {
    const outcome = await sendOnce(context, request, { ...options, deadline });
    if (!(outcome instanceof Error)) return toApiResponse(outcome);
    const retryAfter = ('retryAfter' in outcome && outcome.retryAfter) || 0;
    const wait = getRetryDelay(failures) + 1000 * retryAfter;
    const isLate = getMonotonicTime() + wait >= deadline;
    if (!isRetryable(outcome) || failures >= retries || isLate) throw outcome;
    await pause(wait, options.signal);
  }
}

/**
 * Sends the request. If the API reports an expired token and the token can be renewed, repeats the
 * request once with a fresh token.
 */
async function sendOnce(
  context: SenderContext,
  request: Request,
  options: CallOptions & { deadline: number },
): Promise<Reply | ApiError | NoReplyError> {
  const { base, fetch, token, defaults } = context;
  const { address, ...init } = toFetchInit(request);
  const { deadline, signal } = options;
  const timeout = options.timeout ?? defaults.timeout ?? 30_000;
  const attempt = async (fresh: boolean) => {
    const headers = { ...init.headers, Authorization: `Bearer ${await token({ fresh })}` };
    const limits = { timeout: Math.min(timeout, deadline - getMonotonicTime()), signal };
    const outcome = await attemptFetch(fetch, base + address, { ...init, headers }, limits);
    return outcome instanceof Error || isSuccess(outcome) ? outcome : toApiError(outcome);
  };
  const outcome = await attempt(false);
  return isTokenExpired(outcome) && token.renews ? attempt(true) : outcome;
}

const isSuccess = ({ status }: Reply) => status === 304 || (status >= 200 && status < 300);

const isTokenExpired = (outcome: Reply | Error) =>
  outcome instanceof ApiError && outcome.code === 'token_expired';

const isRetryable = (error: ApiError | NoReplyError) =>
  error instanceof NoReplyError ||
  retryableStatuses.includes(error.status) ||
  // The only 409 with `Retry-After` is `request_in_progress`. A retry can succeed after the first
  // request has ended.
  (error.status === 409 && error.retryAfter !== null);

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

/** Throws `ApiError` if the body is not JSON and therefore not from the API. */
function toApiResponse(reply: Reply) {
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

/** Parses a body without checking its type, because the API's contract guarantees the type. */
function parseBody(reply: Reply, text: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw toApiError({ ...reply, text: '' });
  }
}
