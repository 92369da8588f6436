import { afterEach } from '@jest/globals';
import { client } from '../../../shared/table/calls/table-client.ts';
import { documentClient } from './document-client.ts';

export interface TableCall {
  /** Name in DynamoDB's API, such as `PutItem`. */
  operation: string;
  input: object;
}

type Hook = (call: TableCall, proceed: () => Promise<void>) => Promise<void>;

let hooks: Hook[] = [];
afterEach(() => {
  hooks = [];
});

/** Runs the hooks around a call to the engine. The first hook is the outermost. */
async function callWithin<Output>(call: TableCall, callEngine: () => Promise<Output>) {
  const pass = async ([act, ...others]: readonly Hook[]): Promise<Output> => {
    if (!act) return callEngine();
    let output: Output | undefined;
    await act(call, async () => {
      output = await pass(others);
    });
    if (!output) throw new Error('A hook returned without calling `proceed`.');
    return output;
  };
  return pass(hooks);
}

const callEngine = client.call;
client.call = (operation, input) =>
  callWithin({ operation, input }, () => callEngine(operation, input));
documentClient.middlewareStack.add(
  (next, { commandName = '' }) =>
    (args) =>
      callWithin({ operation: commandName.replace(/Command$/, ''), input: args.input }, () =>
        next(args),
      ),
  { step: 'initialize', name: 'callWithinHooks' },
);

/**
 * Runs a hook, such as a delay or a failure, around each table call of functions and commands,
 * until the test ends or the returned function is called.
 */
export function interceptCalls(act: Hook): () => void {
  hooks = [...hooks, act];
  return () => {
    hooks = hooks.filter((one) => one !== act);
  };
}

/** Runs an action once, before the first matching call. */
export function beforeFirstCall(
  matches: (call: TableCall) => boolean,
  act: () => Promise<unknown>,
): () => void {
  let isFirst = true;
  return interceptCalls(async (call, proceed) => {
    if (isFirst && matches(call)) {
      isFirst = false;
      await act();
    }
    await proceed();
  });
}

/** Matches updates that contain `word`, for example in an expression. */
export const isUpdate =
  (word = '') =>
  ({ operation, input }: TableCall) =>
    operation === 'UpdateItem' && JSON.stringify(input).includes(word);

export const isTransaction = ({ operation }: TableCall) => operation === 'TransactWriteItems';

export const beforeMessagePut = (act: () => Promise<void>): (() => void) =>
  interceptCalls(async ({ operation, input }, proceed) => {
    const isPut = operation === 'PutItem' || operation === 'TransactWriteItems';
    if (isPut && JSON.stringify(input).includes('"message":')) await act();
    await proceed();
  });

/** Blocks the first put of a message until `resume` is called, to simulate a slow sender. */
export function pauseFirstMessagePut(): {
  /** Resolves when the put is blocked. */
  paused: Promise<void>;
  resume(): void;
  undo(): void;
} {
  const released = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let isFirst = true;
  const undo = beforeMessagePut(async () => {
    if (!isFirst) return;
    isFirst = false;
    begun.resolve();
    await released.promise;
  });
  return { paused: begun.promise, resume: released.resolve, undo };
}

/** Makes the function crash immediately before or after its k-th table call, counted from 1. */
export function crashAtCall(k: number, when: 'before' | 'after'): () => void {
  let calls = 0;
  return interceptCalls(async (_, proceed) => {
    calls += 1;
    if (calls !== k || when === 'after') await proceed();
    if (calls === k) throw new Error('The function crashes here.');
  });
}

export const failUpdates = () =>
  interceptCalls(async ({ operation }, proceed) => {
    if (operation === 'UpdateItem') throw new Error('The table rejects updates.');
    await proceed();
  });
