import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../../api-error.ts';
import { clock } from '../../clock.ts';
import { createConcurrencyLimit } from '../../concurrency-limit.ts';
import { getDeadlineSignal } from '../../deadline.ts';
import { recordConflict } from '../../log/invocation.ts';
import { measureUsage } from './measure-usage.ts';
import { createRequestHandler } from './request-handler.ts';

/**
 * Three attempts of at most a second each until the reply starts, and a second per pause within the
 * reply. DynamoDB usually takes a hundredth. An invocation's deadline bounds all its calls.
 */
export const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: createRequestHandler(1000),
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);
measureUsage(client);

/** The client's maximum connections. */
const withConcurrencyLimit = createConcurrencyLimit(50);

/**
 * Runs a call; `send` passes the options to the client. Throws `unavailable` for failures that
 * waiting may cure, after the client's own retries, and past the deadline; a write may then have
 * happened. Rethrows other errors. Retries conflicts with other writes of the same item.
 */
export async function callWithRetries<Result>(
  send: (options: { abortSignal?: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const abortSignal = getDeadlineSignal();
  for (let attempt = 1; ; attempt++) {
    try {
      return await withConcurrencyLimit(() => {
        abortSignal?.throwIfAborted();
        return send(abortSignal ? { abortSignal } : {});
      });
    } catch (error) {
      if (abortSignal?.aborted) throw new ApiError('unavailable', { cause: abortSignal.reason });
      if (isConflict(error)) recordConflict();
      if (isClientFault(error)) throw error;
      if (!isRetryable(error) || attempt === maxConflicts) {
        throw new ApiError('unavailable', { cause: error });
      }
      await pauseAfter(attempt);
    }
  }
}

/** Waits before a retry: longer each time, with jitter so that conflicting requests separate. */
export const pauseAfter = (attempt: number): Promise<void> =>
  clock.sleep(10 + Math.random() * 20 * attempt);

const maxConflicts = 5;

/** Reports a conflict with a concurrent write of the same item: DynamoDB rejects one of the two. */
export const isConflict = (error: unknown): boolean =>
  error instanceof TransactionConflictException ||
  isCancelledOnlyBy(error, ['TransactionConflict']);

/** The client does not retry a transaction with throttled parts. */
const isRetryable = (error: unknown): boolean =>
  isConflict(error) ||
  isCancelledOnlyBy(error, [
    'TransactionConflict',
    'ThrottlingError',
    'ProvisionedThroughputExceeded',
  ]);

const isCancelledOnlyBy = (error: unknown, codes: string[]): boolean =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).every(({ Code = 'None' }) => ['None', ...codes].includes(Code));

const throttlingErrors = [
  ThrottlingException,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  // The client retried a transaction whose first attempt is still running.
  TransactionInProgressException,
];

const isClientFault = (error: unknown): boolean =>
  error instanceof DynamoDBServiceException &&
  error.$fault === 'client' &&
  !isRetryable(error) &&
  !throttlingErrors.some((throttle) => error instanceof throttle);

export const isConditionCancellation = (error: unknown): error is TransactionCanceledException =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ConditionalCheckFailed');

export const isConditionFailure = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof ConditionalCheckFailedException;
