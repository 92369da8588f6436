export interface Deferred<Result> {
  readonly promise: Promise<Result>;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** Returns a pending promise. Suppresses unhandled rejections. */
export function createDeferred<Result>(): Deferred<Result> {
  let settle: Omit<Deferred<Result>, 'promise'> | undefined;
  const promise = new Promise<Result>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => {});
  return {
    promise,
    resolve: (result) => settle?.resolve(result),
    reject: (e) => settle?.reject(e),
  };
}
