import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { measureUsage } from './measure-usage.ts';

/**
 * Three tries of at most a second each, with connecting and backing off between them, leave an operation that makes two
 * calls one after the other well inside its function's ten seconds, even when the table hangs.
 */
export const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 500,
      requestTimeout: 1000,
      throwOnRequestTimeout: true,
    },
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);
measureUsage(client);

/**
 * Makes a call of the table. What waiting may cure, after the client's own tries (throttling, faults of DynamoDB, no or
 * no timely answer), is thrown as `unavailable`; what it refuses is our fault and thrown as it is. A write that meets a
 * transaction of the same item comes again by itself.
 */
export async function call<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (isRefusal(error)) throw error;
      if (!isConflict(error) || tries === mostConflicts) {
        throw new ApiError('unavailable', { cause: error });
      }
      await clock.sleep(10 + Math.random() * 20 * tries);
    }
  }
}

/** How often a write meets other transactions of the same item before it gives up. */
const mostConflicts = 5;

/** Another write of the same item was under way: of two, one goes first, and the other is told to come again. */
export const isConflict = (error: unknown): boolean =>
  error instanceof TransactionConflictException ||
  (error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).every(({ Code = '' }) =>
      ['None', 'TransactionConflict'].includes(Code),
    ));

const throttles = [
  ThrottlingException,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
];

const isRefusal = (error: unknown): boolean =>
  error instanceof DynamoDBServiceException &&
  error.$fault === 'client' &&
  !isConflict(error) &&
  !throttles.some((throttle) => error instanceof throttle);

export const isCancellation = (error: unknown): error is TransactionCanceledException =>
  error instanceof TransactionCanceledException;

export const isConditionFailure = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof ConditionalCheckFailedException;
