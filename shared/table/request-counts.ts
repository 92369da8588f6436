import { ApiError } from '../api-error.ts';
import { clock, toSeconds } from '../clock.ts';
import { withDeadline } from '../deadline.ts';
import { toShortHash } from '../log/short-hash.ts';
import { requestCountSeconds } from '../retention.ts';
import { update } from './calls/access.ts';
import { requestCountKey } from './keys/keys.ts';
import { expiryAttribute } from './keys/names.ts';

const windowMilliseconds = 60_000;
/**
 * Number of requests that an environment counts in memory before a write. Each environment may
 * exceed the limit by up to this number of requests.
 */
const requestsPerWrite = 10;
/** Maximum milliseconds that a request waits for the write. */
const maxWriteMilliseconds = 300;

interface RequestCount {
  pending: number;
  total: number;
}

/**
 * Returns a function that counts a person's request. The function throws `too_many_requests` above
 * the limit per minute, but admits the request if the table fails.
 */
export function createRequestLimit() {
  const counts = new Map<string, RequestCount>();
  let currentMinute = 0;

  return async (contactId: string, limit: number): Promise<void> => {
    const minute = Math.floor(clock.now() / windowMilliseconds);
    if (minute !== currentMinute) counts.clear();
    currentMinute = minute;
    const count = counts.get(contactId) ?? { pending: 0, total: 0 };
    counts.set(contactId, count);
    if (count.total < limit && ++count.pending >= requestsPerWrite) {
      const { pending } = count;
      count.pending = 0;
      count.total = await addRequests(contactId, minute, pending).catch(() => count.total);
      if (count.total <= limit) return;
    }
    if (count.total >= limit) throw new ApiError('too_many_requests');
  };
}

const addRequests = (contactId: string, minute: number, requests: number): Promise<number> =>
  withDeadline(maxWriteMilliseconds, async () => {
    const result = await update({
      Key: requestCountKey(toShortHash(contactId), minute),
      UpdateExpression: `ADD requests :requests SET ${expiryAttribute} = :expiry`,
      ExpressionAttributeValues: {
        ':requests': requests,
        ':expiry': toSeconds(clock.now()) + requestCountSeconds,
      },
      ReturnValues: 'UPDATED_NEW',
    });
    return Number(result.done && result.item?.requests);
  });
