import * as v from 'valibot';
import {
  type HttpHook,
  type HttpInterceptor,
  interceptHttp,
  type TableHttpCall,
  type TableHttpReply,
} from './http-hooks.ts';

/** A fault that affects a request to the table or its reply. */
export interface TableFault {
  /** Outcome of the request, as a predicate: `is throttled`. */
  title: string;
  /**
   * Reports whether the fault applies to the request. A lost reply applies only to writes, because
   * a read with a lost reply is the same as a lost read.
   */
  befalls: (call: TableHttpCall) => boolean;
  happen: HttpInterceptor;
}

/** A fault of one request, counted from 1, and, if `lasts` is true, of all later requests. */
export interface FaultInjection {
  title: string;
  fault: TableFault;
  number: number;
  lasts: boolean;
}

/** Returns a single and a lasting injection for every pair of a request and an applicable fault. */
export const listFaults = (calls: readonly TableHttpCall[]): FaultInjection[] =>
  calls.flatMap((call, n) =>
    tableFaults
      .filter((fault) => fault.befalls(call))
      .flatMap((fault) =>
        [false, true].map((lasts) => ({
          title: `${lasts ? 'every call from number' : 'call'} ${n + 1} (${call.operation}) ${fault.title}`,
          fault,
          number: n + 1,
          lasts,
        })),
      ),
  );

export function injectFault({ fault, number, lasts }: FaultInjection): HttpHook {
  let calls = 0;
  return interceptHttp((call, goOn) => {
    calls += 1;
    const strikes = (lasts ? calls >= number : calls === number) && fault.befalls(call);
    return strikes ? fault.happen(call, goOn) : goOn();
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
    befalls: anyCall,
    happen: async () => errorReply('ThrottlingException'),
  },
  {
    title: 'is a transaction with a throttled operation',
    befalls: isTransaction,
    happen: async (call) => cancelled(call, 'ThrottlingError'),
  },
  {
    title: 'fails with an internal error',
    befalls: anyCall,
    happen: async () => errorReply('InternalServerError', 500),
  },
  {
    title: 'conflicts with a transaction on the same item',
    befalls: isWrite,
    happen: async (call) =>
      isTransaction(call)
        ? cancelled(call, 'TransactionConflict')
        : errorReply('TransactionConflictException'),
  },
  {
    title: 'is a transaction whose first attempt is still in progress',
    befalls: isTransaction,
    happen: async () => errorReply('TransactionInProgressException'),
  },
  {
    title: 'is left unprocessed',
    befalls: ({ operation }) => operation.startsWith('Batch'),
    happen: async ({ operation, body }) => {
      const { RequestItems } = v.parse(Batch, body);
      const left =
        operation === 'BatchGetItem'
          ? { Responses: {}, UnprocessedKeys: RequestItems }
          : { UnprocessedItems: RequestItems };
      return { status: 200, body: JSON.stringify(left) };
    },
  },
  {
    title: 'cannot connect to the table',
    befalls: anyCall,
    happen: async () => {
      throw connectionError('ECONNREFUSED');
    },
  },
  {
    title: 'is lost without a reply',
    befalls: anyCall,
    happen: async () => {
      throw Object.assign(new Error('no reply in time'), { name: 'TimeoutError' });
    },
  },
  {
    title: 'takes effect, but its reply is lost',
    befalls: isWrite,
    happen: async (_, goOn) => {
      await goOn();
      throw connectionError('ECONNRESET');
    },
  },
  {
    title: 'is delayed',
    befalls: anyCall,
    happen: async (_, goOn) => {
      await new Promise((resolve) => setTimeout(resolve, 15));
      return goOn();
    },
  },
];
