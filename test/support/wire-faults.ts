import * as v from 'valibot';
import { type OnTheWire, onTheWire, type Wire, type WireAnswer, type WireCall } from './wire.ts';

/** Something that may happen to a request on its way to the table or back. */
export interface WireFault {
  /** What has become of the request: `it …`. */
  title: string;
  /** Whether it can happen to such a request; a read is not told from one that never arrived. */
  befalls: (call: WireCall) => boolean;
  happen: OnTheWire;
}

/** When a fault strikes: at the request of that number, from 1, and at all later ones if it lasts. */
export interface Strike {
  title: string;
  fault: WireFault;
  number: number;
  lasts: boolean;
}

/** Every fault at every request, once and lasting. */
export const strikesAt = (calls: readonly WireCall[]): Strike[] =>
  calls.flatMap((call, n) =>
    wireFaults
      .filter((fault) => fault.befalls(call))
      .flatMap((fault) =>
        [false, true].map((lasts) => ({
          title: `${lasts ? 'from call' : 'call'} ${n + 1} (${call.operation}) ${fault.title}`,
          fault,
          number: n + 1,
          lasts,
        })),
      ),
  );

export function strikeOnTheWire({ fault, number, lasts }: Strike): Wire {
  let calls = 0;
  return onTheWire((call, goOn) => {
    calls += 1;
    const strikes = (lasts ? calls >= number : calls === number) && fault.befalls(call);
    return strikes ? fault.happen(call, goOn) : goOn();
  });
}

const reads = ['GetItem', 'BatchGetItem', 'Query', 'Scan'];
const isWrite = ({ operation }: WireCall) => !reads.includes(operation);
const isTransaction = ({ operation }: WireCall) => operation === 'TransactWriteItems';
const anyCall = () => true;

const refusal = (type: string, status = 400, more: object = {}): WireAnswer => ({
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

/** A transaction of which one part, the last, met something. */
const cancelled = ({ body }: WireCall, code: string): WireAnswer => {
  const { length } = v.parse(Transaction, body).TransactItems;
  const CancellationReasons = Array.from({ length }, (_, n) => ({
    Code: n === length - 1 ? code : 'None',
  }));
  return refusal('TransactionCanceledException', 400, { CancellationReasons });
};

const broken = (code: string) => Object.assign(new Error(`the connection: ${code}`), { code });

const Batch = v.pipe(v.string(), v.parseJson(), v.object({ RequestItems: v.unknown() }));

const wireFaults: readonly WireFault[] = [
  {
    title: 'is throttled',
    befalls: anyCall,
    happen: async () => refusal('ThrottlingException'),
  },
  {
    title: 'is a transaction of which a part is throttled',
    befalls: isTransaction,
    happen: async (call) => cancelled(call, 'ThrottlingError'),
  },
  {
    title: 'meets a fault of the table',
    befalls: anyCall,
    happen: async () => refusal('InternalServerError', 500),
  },
  {
    title: 'meets a transaction of the same item',
    befalls: isWrite,
    happen: async (call) =>
      isTransaction(call)
        ? cancelled(call, 'TransactionConflict')
        : refusal('TransactionConflictException'),
  },
  {
    title: 'is a transaction whose first try is still under way',
    befalls: isTransaction,
    happen: async () => refusal('TransactionInProgressException'),
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
    title: 'finds nobody at the table’s address',
    befalls: anyCall,
    happen: async () => {
      throw broken('ECONNREFUSED');
    },
  },
  {
    title: 'is lost, and nobody answers',
    befalls: anyCall,
    happen: async () => {
      throw Object.assign(new Error('no answer in time'), { name: 'TimeoutError' });
    },
  },
  {
    title: 'is carried out, and the reply lost',
    befalls: isWrite,
    happen: async (_, goOn) => {
      await goOn();
      throw broken('ECONNRESET');
    },
  },
  {
    title: 'takes its time',
    befalls: anyCall,
    happen: async (_, goOn) => {
      await new Promise((resolve) => setTimeout(resolve, 15));
      return goOn();
    },
  },
];
