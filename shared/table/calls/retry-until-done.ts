import { ApiError } from '../../api-error.ts';

/** Repeats a change until it returns a value. Throws `unavailable` after the last attempt. */
export async function retryUntilDone<Result>(
  attempt: () => Promise<Result | undefined>,
  maxAttempts = 10,
): Promise<Result> {
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new ApiError('unavailable');
}
