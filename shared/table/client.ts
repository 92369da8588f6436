import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
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
 * no timely answer), is thrown as `unavailable`; what it refuses is our fault and thrown as it is.
 */
export async function call<Result>(send: Promise<Result>): Promise<Result> {
  try {
    return await send;
  } catch (error) {
    throw isRefusal(error) ? error : new ApiError('unavailable', { cause: error });
  }
}

const throttles = [
  ThrottlingException,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
];

const isRefusal = (error: unknown): boolean =>
  error instanceof DynamoDBServiceException &&
  error.$fault === 'client' &&
  !throttles.some((throttle) => error instanceof throttle);

export const isConditionFailure = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof ConditionalCheckFailedException;
