import { clock } from '../../clock.ts';
import { usage } from '../../log/usage.ts';
import { getServiceUrl } from '../../signing/service-url.ts';
import { hash, signHeaders } from '../../signing/signature.ts';
import { createTransport } from './transport.ts';
import { formatInput, parseOutput, TableError, type TableOutput } from './wire-format.ts';

const reads = ['BatchGetItem', 'GetItem', 'Query'] as const;
export type TableOperation =
  | (typeof reads)[number]
  | 'BatchWriteItem'
  | 'DeleteItem'
  | 'PutItem'
  | 'TransactWriteItems'
  | 'UpdateItem';

const maxAttempts = 3;
/** Longest pause before the second attempt, doubled before the third one. */
const pauseMilliseconds = 100;
const throttledPauseMilliseconds = 500;
/** Per attempt, until the reply starts and for each pause within it. DynamoDB usually takes 10. */
const maxIdleMilliseconds = 1000;

/**
 * Client of DynamoDB. The AWS SDK's client needs three times the CPU at a function's start: see
 * docs/design.md, Startup.
 */
export const client = {
  transport: createTransport(maxIdleMilliseconds),
  call: callWithAttempts,
};

/**
 * Calls an operation and adds its consumed capacity to `usage`. Attempts it three times if the
 * connection fails, or DynamoDB fails or throttles. Throws the last attempt's error, a TableError
 * if DynamoDB returned it.
 */
async function callWithAttempts(
  operation: TableOperation,
  input: object,
  signal?: AbortSignal,
): Promise<TableOutput> {
  const body = formatInput({ ...input, ReturnConsumedCapacity: 'TOTAL' });
  for (let attempt = 1; ; attempt++) {
    try {
      const output = parseOutput(await send(operation, body, signal));
      addUsage(operation, output);
      return output;
    } catch (error) {
      if (attempt === maxAttempts || signal?.aborted || !isTransient(error)) throw error;
      const longest = isThrottling(error) ? throttledPauseMilliseconds : pauseMilliseconds;
      await clock.sleep(Math.random() * longest * attempt);
    }
  }
}

async function send(
  operation: TableOperation,
  body: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const url = getServiceUrl('dynamodb');
  const headers = await signHeaders(
    {
      method: 'POST',
      url,
      service: 'dynamodb',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
      },
    },
    hash(body),
  );
  const reply = await client.transport({ url, headers, body }, signal);
  if (reply.status !== 200) throw new TableError(reply.status, reply.body);
  return reply.body;
}

function addUsage(operation: TableOperation, { ConsumedCapacity }: TableOutput): void {
  const isRead = reads.some((one) => one === operation);
  for (const { CapacityUnits } of [ConsumedCapacity].flat()) {
    if (isRead) usage.read_units += CapacityUnits;
    else usage.write_units += CapacityUnits;
  }
}

const throttlingErrors = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  // A transaction is attempted again while its first attempt is still running.
  'TransactionInProgressException',
];

export const isThrottling = (error: unknown): boolean =>
  error instanceof TableError && throttlingErrors.includes(error.name);

const isTransient = (error: unknown): boolean =>
  !(error instanceof TableError) || error.status >= 500 || isThrottling(error);
