/** The result of a call, with the reply's metadata. */
export interface ApiResponse<Result> {
  readonly data: Result;
  readonly status: number;
  /** ETag of `data`, for `ifMatch` and `ifNoneMatch`; null if it has none. */
  readonly etag: string | null;
  /** Id to quote in a bug report. */
  readonly requestId: string | null;
  /** Whether the API replayed its first reply to the same idempotency key. */
  readonly replayed: boolean;
}

/** A promise of the result. `withResponse` also returns the metadata, with no extra request. */
export interface Call<Result> extends Promise<Result> {
  withResponse(): Promise<ApiResponse<Result>>;
}

export function createCall<Result>(response: Promise<ApiResponse<Result>>): Call<Result> {
  const data = response.then((one) => one.data);
  const withResponse = () => {
    // The caller handles a failure through `response`.
    data.catch(() => {});
    return response;
  };
  return Object.assign(data, { withResponse });
}
