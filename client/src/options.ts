/** Gives a token. `fresh` is true when the last one was refused as expired: then one from a cache does not help. */
export type TokenSource = (wanted: { readonly fresh: boolean }) => string | Promise<string>;

/** As much of the platform's fetch as is used. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<FetchResponse>;

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** How long to try. Times are milliseconds. */
export interface Patience {
  /** For one try; 30 seconds unless said. */
  timeout?: number | undefined;
  /** For all tries of a call, with the pauses between; 90 seconds unless said. */
  totalTimeout?: number | undefined;
  /** How often to try again at most; 4 unless said. */
  retries?: number | undefined;
}

export interface ClientOptions extends Patience {
  /** Where the API is, without `/v1`: what `npm run deploy` tells. */
  url: string;
  /** A token, or what gives one: it is asked before each request, so let it keep what it has. */
  token: string | TokenSource;
  /** Instead of the platform's. */
  fetch?: Fetch | undefined;
}

export interface CallOptions extends Patience {
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface RetrieveOptions extends CallOptions {
  /** The `etag` of what you have: the result is null while that is how it is. */
  ifNoneMatch?: string | undefined;
}

export interface ChangeOptions extends CallOptions {
  /** The `etag` of what you have: a `PreconditionFailedError` where it has changed since. */
  ifMatch?: string | undefined;
}

export interface SendOptions extends CallOptions {
  /** Your own name of this request, such as of a message in an outbox; made for you unless said, one for all tries. */
  idempotencyKey?: string | undefined;
}
