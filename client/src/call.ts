/** What a call gives, with what its reply has told beside it. */
export interface Answer<Result> {
  readonly data: Result;
  readonly status: number;
  /** Of `data`, for `ifMatch` and `ifNoneMatch`; null where it has none. */
  readonly etag: string | null;
  /** Tell it when you report a fault. */
  readonly requestId: string | null;
  /** It is the first reply to a request that came again with the same key. */
  readonly replayed: boolean;
}

/** A promise of the result; `withResponse` gives it with its ETag and the like. The request is made once, either way. */
export interface Call<Result> extends Promise<Result> {
  withResponse(): Promise<Answer<Result>>;
}

export function createCall<Result>(answer: Promise<Answer<Result>>): Call<Result> {
  const data = answer.then((one) => one.data);
  const withResponse = () => {
    // Whoever looks at the answer has heard of its failure.
    data.catch(() => {});
    return answer;
  };
  return Object.assign(data, { withResponse });
}
