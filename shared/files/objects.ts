import { ApiError } from '../api-error.ts';
import { getDeadlineSignal } from '../deadline.ts';
import { sign } from './signer.ts';

const attemptMilliseconds = 2000;
const maxAttempts = 3;

/**
 * Retains an uploaded file: without its tag, the bucket's lifecycle does not remove it. Returns
 * false if there is none. Throws `unavailable`.
 */
export const retainFile = async (key: string): Promise<boolean> =>
  (await request('DELETE', key, { tagging: '' }, [204, 404])) === 204;

/** Removes a file, if there is one. Throws `unavailable`. */
export const removeFile = async (key: string): Promise<void> => {
  await request('DELETE', key, {}, [204]);
};

/** Returns one of the expected statuses. Retries others: an idle connection may be closed. */
async function request(
  method: string,
  key: string,
  query: Record<string, string>,
  expected: readonly number[],
): Promise<number> {
  let cause: unknown;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      const { url, headers } = await sign(method, key, query);
      const signals = [AbortSignal.timeout(attemptMilliseconds), getDeadlineSignal() ?? []].flat();
      const response = await fetch(url, { method, headers, signal: AbortSignal.any(signals) });
      const text = await response.text();
      if (expected.includes(response.status)) return response.status;
      cause = new Error(`S3 answered ${response.status}: ${text.slice(0, 500)}`);
    } catch (error) {
      cause = error;
    }
  }
  throw new ApiError('unavailable', { cause });
}
