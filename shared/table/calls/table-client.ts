import { getDeadlineSignal } from '../../deadline.ts';
import { usage } from '../../log/usage.ts';
import { getServiceTimeout } from '../../service-timeout.ts';
import { getServiceUrl } from '../../signing/service-url.ts';
import { hash, signHeaders } from '../../signing/signature.ts';
import { createTransport } from '../../signing/transport.ts';
import { maxPauses, withRetries } from '../../signing/with-retries.ts';
import { formatInput, parseOutput, TableError, type TableOutput } from './wire-format.ts';

const reads = ['BatchGetItem', 'GetItem', 'Query'] as const;
export type TableOperation =
  | (typeof reads)[number]
  | 'BatchWriteItem'
  | 'DeleteItem'
  | 'PutItem'
  | 'TransactWriteItems'
  | 'UpdateItem';

/** Milliseconds without data after which an attempt fails. DynamoDB usually replies in 10 ms. */
const maxIdleMilliseconds = getServiceTimeout(1000);

/**
 * Client for DynamoDB that replaces the AWS SDK's: see docs/design.md, Startup. Tests replace
 * `transport` and `call`.
 */
export const client = {
  transport: createTransport({ maxConnections: 50, maxIdleMilliseconds }),
  call: callWithRetries,
};

/**
 * Makes up to three attempts if the connection fails, or if DynamoDB fails or throttles the call.
 * Throws the last error: a TableError if DynamoDB returned it.
 */
function callWithRetries(operation: TableOperation, input: object): Promise<TableOutput> {
  const body = formatInput({ ...input, ReturnConsumedCapacity: 'TOTAL' });
  return withRetries(async () => {
    const output = parseOutput(await post(operation, body));
    addUsage(operation, output);
    return output;
  }, getMaxPause);
}

async function post(operation: TableOperation, body: string): Promise<string> {
  const request = {
    method: 'POST',
    url: getServiceUrl('dynamodb'),
    service: 'dynamodb',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
    },
  };
  const headers = await signHeaders(request, hash(body));
  const reply = await client.transport({ ...request, headers, body }, getDeadlineSignal());
  const text = reply.body.toString();
  if (reply.status !== 200) throw new TableError(reply.status, text);
  return text;
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
  // An earlier attempt of the transaction is still running.
  'TransactionInProgressException',
];

const isThrottling = (error: TableError): boolean => throttlingErrors.includes(error.name);

/**
 * Reports whether the signature has expired. After a freeze, Lambda's clock may briefly be behind.
 */
const isSignedTooEarly = ({ name, message }: TableError): boolean =>
  name === 'InvalidSignatureException' && message.startsWith('Signature expired');

/** Reports whether a retry may succeed. If no reply arrived, the call may have succeeded. */
export const isTransient = (error: unknown): boolean =>
  !(error instanceof TableError) ||
  error.status >= 500 ||
  isThrottling(error) ||
  isSignedTooEarly(error);

function getMaxPause(error: unknown): number | undefined {
  if (!isTransient(error)) return undefined;
  return error instanceof TableError && isThrottling(error) ? maxPauses.long : maxPauses.short;
}
