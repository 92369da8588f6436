import { ApiError } from '../../api-error.ts';
import { clock } from '../../clock.ts';
import { getDeadlineSignal } from '../../deadline.ts';
import { recordConflict } from '../../log/invocation.ts';
import { usage } from '../../log/usage.ts';
import { client, isTransient, type TableOperation } from './table-client.ts';
import { TableError, type TableOutput } from './wire-format.ts';

/**
 * Calls DynamoDB and counts the call in `usage`. If a write conflicts or a transaction is
 * throttled, makes up to five attempts. Throws `unavailable` after the deadline, after the last
 * attempt, or for another transient failure. A write may have succeeded nevertheless. Throws a
 * TableError for other errors.
 */
export async function callTable(operation: TableOperation, input: object): Promise<TableOutput> {
  const signal = getDeadlineSignal();
  for (let attempt = 1; ; attempt++) {
    try {
      signal?.throwIfAborted();
      usage.table_calls += 1;
      return await client.call(operation, input);
    } catch (error) {
      if (signal?.aborted) throw new ApiError('unavailable', { cause: signal.reason });
      if (isConflict(error)) recordConflict();
      if (!isRetryable(error) && !isTransient(error)) throw error;
      if (!isRetryable(error) || attempt === maxConflicts) {
        throw new ApiError('unavailable', { cause: error });
      }
      await pauseAfter(attempt);
    }
  }
}

/**
 * Waits 10 ms plus a random time of at most `attempt` times 20 ms, to spread out conflicting
 * requests.
 */
export const pauseAfter = (attempt: number): Promise<void> =>
  clock.sleep(10 + Math.random() * 20 * attempt);

const maxConflicts = 5;

/** Reports whether DynamoDB rejected a call because of a concurrent write to the same item. */
export const isConflict = (error: unknown): boolean =>
  hasName(error, 'TransactionConflictException') ||
  isCancelledOnlyBy(error, ['TransactionConflict']);

/**
 * Reports whether the error is a conflict or a throttled transaction, which the table client does
 * not retry.
 */
const isRetryable = (error: unknown): boolean =>
  isConflict(error) ||
  isCancelledOnlyBy(error, [
    'TransactionConflict',
    'ThrottlingError',
    'ProvisionedThroughputExceeded',
  ]);

const isCancelledOnlyBy = (error: unknown, codes: string[]): boolean =>
  hasName(error, 'TransactionCanceledException') &&
  error.reasons.every(({ Code }) => ['None', ...codes].includes(Code));

export const isConditionCancellation = (error: unknown): error is TableError =>
  hasName(error, 'TransactionCanceledException') &&
  error.reasons.some(({ Code }) => Code === 'ConditionalCheckFailed');

export const isConditionFailure = (error: unknown): error is TableError =>
  hasName(error, 'ConditionalCheckFailedException');

const hasName = (error: unknown, name: string): error is TableError =>
  error instanceof TableError && error.name === name;
