import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import {
  type HttpHook,
  type HttpInterceptor,
  interceptHttp,
  type TableHttpCall,
  type TableHttpReply,
} from './http-hooks.ts';

/** A fault that affects a request to the table or the table's reply. */
export interface TableFault {
  /** Outcome of the request, as a predicate: `is throttled`. */
  title: string;
  /**
   * Reports whether the fault applies to the request. A fault that loses the reply applies only to
   * writes, because a read with a lost reply is the same as a lost read.
   */
  appliesTo: (call: TableHttpCall) => boolean;
  inject: HttpInterceptor;
}

/**
 * A fault in request `number` (counted from 1) and, if `isLasting` is true, in all later requests.
 */
export interface FaultInjection {
  title: string;
  fault: TableFault;
  number: number;
  isLasting: boolean;
}

/**
 * Returns two injections, a one-time and a lasting one, for every pair of a request and an
 * applicable fault.
 */
export const listFaults = (calls: readonly TableHttpCall[]): FaultInjection[] =>
  calls.flatMap((call, n) =>
    tableFaults
      .filter((fault) => fault.appliesTo(call))
      .flatMap((fault) =>
        [false, true].map((isLasting) => ({
          title: `${isLasting ? 'every call from number' : 'call'} ${n + 1} (${call.operation}) ${fault.title}`,
          fault,
          number: n + 1,
          isLasting,
        })),
      ),
  );

export function injectFault({ fault, number, isLasting }: FaultInjection): HttpHook {
  let calls = 0;
  return interceptHttp((call, proceed) => {
    calls += 1;
    const isFaulty = (isLasting ? calls >= number : calls === number) && fault.appliesTo(call);
    return isFaulty ? fault.inject(call, proceed) : proceed();
  });
}

const reads = ['GetItem', 'BatchGetItem', 'Query', 'Scan'];
const isWrite = ({ operation }: TableHttpCall) => !reads.includes(operation);
const isTransaction = ({ operation }: TableHttpCall) => operation === 'TransactWriteItems';
const anyCall = () => true;

const errorReply = (type: string, status = 400, more: object = {}): TableHttpReply => ({
  status,
  body: JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    message: 'the table’s own words',
    ...more,
  }),
});

const Transaction = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ TransactItems: v.array(v.unknown()) }),
);

/** Returns the reply to a transaction whose last operation failed. */
const cancelled = ({ body }: TableHttpCall, code: string): TableHttpReply => {
  const { length } = v.parse(Transaction, body).TransactItems;
  const CancellationReasons = Array.from({ length }, (_, n) => ({
    Code: n === length - 1 ? code : 'None',
  }));
  return errorReply('TransactionCanceledException', 400, { CancellationReasons });
};

const connectionError = (code: string) =>
  Object.assign(new Error(`the connection: ${code}`), { code });

const Batch = v.pipe(v.string(), v.parseJson(), v.object({ RequestItems: v.unknown() }));

const tableFaults: readonly TableFault[] = [
  {
    title: 'is throttled',
    appliesTo: anyCall,
    inject: async () => errorReply('ThrottlingException'),
  },
  {
    title: 'is a transaction with a throttled operation',
    appliesTo: isTransaction,
    inject: async (call) => cancelled(call, 'ThrottlingError'),
  },
  {
    title: 'fails with an internal error',
    appliesTo: anyCall,
    inject: async () => errorReply('InternalServerError', 500),
  },
  {
    title: 'conflicts with a transaction on the same item',
    appliesTo: isWrite,
    inject: async (call) =>
      isTransaction(call)
        ? cancelled(call, 'TransactionConflict')
        : errorReply('TransactionConflictException'),
  },
  {
    title: 'is a transaction whose first attempt is still in progress',
    appliesTo: isTransaction,
    inject: async () => errorReply('TransactionInProgressException'),
  },
  {
    title: 'is left unprocessed',
    appliesTo: ({ operation }) => operation.startsWith('Batch'),
    inject: async ({ operation, body }) => {
      const { RequestItems } = v.parse(Batch, body);
      const unprocessed =
        operation === 'BatchGetItem'
          ? { Responses: {}, UnprocessedKeys: RequestItems }
          : { UnprocessedItems: RequestItems };
      return { status: 200, body: JSON.stringify(unprocessed) };
    },
  },
  {
    title: 'cannot connect to the table',
    appliesTo: anyCall,
    inject: async () => {
      throw connectionError('ECONNREFUSED');
    },
  },
  {
    title: 'is lost without a reply',
    appliesTo: anyCall,
    inject: async () => {
      throw Object.assign(new Error('no reply in time'), { name: 'TimeoutError' });
    },
  },
  {
    title: 'takes effect, but its reply is lost',
    appliesTo: isWrite,
    inject: async (_, proceed) => {
      await proceed();
      throw connectionError('ECONNRESET');
    },
  },
  {
    title: 'is delayed',
    appliesTo: anyCall,
    inject: async (_, proceed) => {
      // Tests may replace the global timers.
      await sleep(15);
      return proceed();
    },
  },
];
