import { ApiError } from '../../api-error.ts';
import { pauseAfter } from './client.ts';

/** Number of attempts without a pause. The pauses before later attempts spread out conflicts. */
const maxImmediateAttempts = 3;

/** Calls `attempt` until it returns a value. Throws `unavailable` after `maxAttempts` calls. */
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
