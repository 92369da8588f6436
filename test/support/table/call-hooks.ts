import { afterEach } from '@jest/globals';
import { client } from '../../../shared/table/calls/client.ts';

export interface TableCall {
  /** The SDK's name, such as PutItemCommand. */
  command: string;
  input: object;
}

let hooks: (() => void)[] = [];
afterEach(() => {
  for (const remove of hooks) remove();
  hooks = [];
});

/**
 * Runs a hook around each table call, such as a delay or a failure, until the test ends or the
 * returned function is called. Calls that pass go to the real engine.
 */
export function interceptCalls(
  act: (call: TableCall, goOn: () => Promise<void>) => Promise<void>,
): () => void {
  const name = `hook ${hooks.length}`;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      let result: Awaited<ReturnType<typeof next>> | undefined;
      await act({ command: context.commandName ?? '', input: args.input }, async () => {
        result = await next(args);
      });
      if (!result) throw new Error('The call was not let through.');
      return result;
    },
    { step: 'initialize', name },
  );
  const remove = () => {
    client.middlewareStack.remove(name);
  };
  hooks.push(remove);
  return remove;
}

/** Runs a hook once, before the first matching call. */
export function beforeFirstCall(
  isMeant: (call: TableCall) => boolean,
  act: () => Promise<unknown>,
): () => void {
  let isFirst = true;
  return interceptCalls(async (call, goOn) => {
    if (isFirst && isMeant(call)) {
      isFirst = false;
      await act();
    }
    await goOn();
  });
}

/** Matches an update; with a word, only an update that contains it, such as an attribute name. */
export const isUpdate =
  (word = '') =>
  ({ command, input }: TableCall) =>
    command === 'UpdateItemCommand' && JSON.stringify(input).includes(word);

export const isTransaction = ({ command }: TableCall) => command === 'TransactWriteItemsCommand';

/** Runs a hook before each put of a message. */
export const beforeMessagePut = (act: () => Promise<void>): (() => void) =>
  interceptCalls(async ({ command, input }, goOn) => {
    const isPut = command === 'PutItemCommand' || command === 'TransactWriteItemsCommand';
    if (isPut && JSON.stringify(input).includes('"message":')) await act();
    await goOn();
  });

/**
 * Blocks the first put of a message until released: a slow sender between reservation and message.
 */
export function pauseFirstMessagePut(): {
  /** Resolves when the put is blocked. */
  isHeld: Promise<void>;
  resume(): void;
  undo(): void;
} {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let isFirst = true;
  const undo = beforeMessagePut(async () => {
    if (!isFirst) return;
    isFirst = false;
    begun.resolve();
    await held.promise;
  });
  return { isHeld: begun.promise, resume: held.resolve, undo };
}

/** Makes the function crash at its k-th table call (from 1), just before or just after it. */
export function crashAtCall(k: number, when: 'before' | 'after'): () => void {
  let calls = 0;
  return interceptCalls(async (_, goOn) => {
    calls += 1;
    if (calls !== k || when === 'after') await goOn();
    if (calls === k) throw new Error('The function dies here.');
  });
}

/** Makes all updates of the table fail. */
export const failUpdates = () =>
  interceptCalls(async ({ command }, goOn) => {
    if (command === 'UpdateItemCommand') throw new Error('The table takes no updates.');
    await goOn();
  });
