import { ApiError } from '../../api-error.ts';
import { pauseAfter } from './client.ts';

/** Attempts made without a pause. Later ones wait, so that many concurrent changes spread out. */
const maxImmediateAttempts = 3;

/** Repeats a change until it returns a value. Throws `unavailable` after the last attempt. */
export async function retryUntilDone<Result>(
  attempt: () => Promise<Result | undefined>,
  maxAttempts = 10,
): Promise<Result> {
  for (let attempts = 1; attempts <= maxAttempts; attempts++) {
    const result = await attempt();
    if (result !== undefined) return result;
    if (attempts >= maxImmediateAttempts && attempts < maxAttempts) await pauseAfter(attempts);
  }
  throw new ApiError('unavailable');
}
