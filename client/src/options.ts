import type { NewAttachment } from './generated/types.ts';

/**
 * Returns a token, or null if the user is signed out. If `fresh` is true, the API or the push
 * service has rejected the last token: do not return a cached one.
 */
export type TokenSource = (request: {
  readonly fresh: boolean;
}) => string | null | undefined | Promise<string | null | undefined>;

/** The part of the platform's `fetch` that the client uses. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<FetchResponse>;

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export interface PutFileOptions {
  signal?: AbortSignal | undefined;
  /** If the upload makes no progress for this many milliseconds, the request fails. */
  timeout: number;
  /** Called with the number of bytes uploaded so far. */
  onProgress(loaded: number): void;
}

/** Makes one attempt to upload a file. Resolves with any reply; rejects if there is none. */
export type PutFile = (
  target: Pick<NewAttachment['upload'], 'method' | 'url' | 'headers'>,
  file: Blob,
  options: PutFileOptions,
) => Promise<{ readonly status: number; readonly text: string }>;

/** Time and retry limits of a call. A call uses the client's limits unless it sets its own. */
export interface RetryOptions {
  /** Timeout of one attempt in milliseconds. Default: 30,000. */
  timeout?: number | undefined;
  /** Total timeout in milliseconds for all attempts, including pauses. Default: 90,000. */
  totalTimeout?: number | undefined;
  /** Maximum number of retries. Default: 4. */
  retries?: number | undefined;
}

export interface ClientOptions extends RetryOptions {
  /** Address of the API, without `/v1`. `npm run deploy` prints the address. */
  url: string;
  /**
   * A token, or a function that returns one. The client calls the function before each request, so
   * cache the token.
   */
  token: string | TokenSource;
  /** Replaces the platform's `fetch`. */
  fetch?: Fetch | undefined;
  /** Replaces the request that uploads a file. */
  putFile?: PutFile | undefined;
}

export interface CallOptions extends RetryOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface RetrieveOptions extends CallOptions {
  /** The `etag` of the version that you have. If nothing has changed, the result is null. */
  ifNoneMatch?: string | undefined;
}

export interface ChangeOptions extends CallOptions {
  /** The `etag` that you have. If the resource has changed, throws `PreconditionFailedError`. */
  ifMatch?: string | undefined;
}

export interface SendOptions extends CallOptions {
  /** Your own key for this request, such as an outbox id. Default: a random key per call. */
  idempotencyKey?: string | undefined;
}
