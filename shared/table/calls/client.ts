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
import { clock } from '../../clock.ts';
import { deadline } from '../../deadline.ts';
import { ApiError } from '../../errors.ts';
import { noteConflict } from '../../log/invocation.ts';
import { inTurn } from './in-turn.ts';
import { measureUsage } from './measure-usage.ts';

/**
 * Three tries of at most a second each, from connecting to the answer, and a second for each pause
 * within the answer: DynamoDB mostly answers within a hundredth of it. How long all calls of an
 * invocation may take together is for its deadline to say.
 */
export const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { requestTimeout: 1000, socketTimeout: 1000, throwOnRequestTimeout: true },
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);
measureUsage(client);

/**
 * Makes a call of the table; `send` hands the options on to the client. What waiting may cure,
 * after the client's own tries (throttling, faults of DynamoDB, no or no timely answer), is thrown
 * as `unavailable`, and so is that the invocation's time is over: whether a write was made is then
 * not known. What the table refuses is our fault and thrown as it is. A write that meets a
 * transaction of the same item comes again by itself, and so does a transaction that met another
 * write or was throttled.
 */
export async function call<Result>(
  send: (options: { abortSignal?: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const abortSignal = deadline();
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTurn(() => {
        abortSignal?.throwIfAborted();
        return send(abortSignal ? { abortSignal } : {});
      });
    } catch (error) {
      if (abortSignal?.aborted) throw new ApiError('unavailable', { cause: abortSignal.reason });
      if (isConflict(error)) noteConflict();
      if (isRefusal(error)) throw error;
      if (!mayComeAgain(error) || attempt === maxAttempts) {
        throw new ApiError('unavailable', { cause: error });
      }
      await pauseAfter(attempt);
    }
  }
}

/**
 * Before something is tried again: longer each time, and of chance, so that those who met once do
 * not meet again.
 */
export const pauseAfter = (attempt: number): Promise<void> =>
  clock.sleep(10 + Math.random() * 20 * attempt);

/** How often a write meets others of the same item before it gives up. */
const maxAttempts = 5;

/**
 * Another write of the same item was under way: of two, one goes first, and the other is told to
 * come again.
 */
export const isConflict = (error: unknown): boolean =>
  error instanceof TransactionConflictException ||
  isCancelledOnlyBy(error, ['TransactionConflict']);

/** The client does not try a transaction again by itself when parts of it were throttled. */
const mayComeAgain = (error: unknown): boolean =>
  isConflict(error) ||
  isCancelledOnlyBy(error, [
    'TransactionConflict',
    'ThrottlingError',
    'ProvisionedThroughputExceeded',
  ]);

const isCancelledOnlyBy = (error: unknown, codes: string[]): boolean =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).every(({ Code = 'None' }) => ['None', ...codes].includes(Code));

const throttles = [
  ThrottlingException,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  // A try of a transaction whose first try has not ended yet: the client has come again, and was
  // told so again.
  TransactionInProgressException,
];

const isRefusal = (error: unknown): boolean =>
  error instanceof DynamoDBServiceException &&
  error.$fault === 'client' &&
  !mayComeAgain(error) &&
  !throttles.some((throttle) => error instanceof throttle);

/** A condition of the transaction did not hold. */
export const isCancellation = (error: unknown): error is TransactionCanceledException =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ConditionalCheckFailed');

export const isConditionFailure = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof ConditionalCheckFailedException;
