import { client } from '../../../shared/table/calls/client.ts';

export interface TableCall {
  /** The SDK's name, such as PutItemCommand. */
  command: string;
  input: object;
}

/**
 * Does something around each call of the table, such as waiting or failing, until the returned function is called. What
 * it lets through goes to the real engine.
 */
export function interceptCalls(
  act: (call: TableCall, goOn: () => Promise<void>) => Promise<void>,
): () => void {
  const name = 'around';
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
  return () => client.middlewareStack.remove(name);
}

/** Does something before the first of the calls that are meant: once, whatever calls come of it. */
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

/** An update; with a word, one that has it, such as the name of what it sets. */
export const isUpdate =
  (word = '') =>
  ({ command, input }: TableCall) =>
    command === 'UpdateItemCommand' && JSON.stringify(input).includes(word);

export const isTransaction = ({ command }: TableCall) => command === 'TransactWriteItemsCommand';

/** Does something before each put of a message. */
export const beforeMessagePut = (act: () => Promise<void>): (() => void) =>
  interceptCalls(async ({ command, input }, goOn) => {
    const isPut = command === 'PutItemCommand' || command === 'TransactWriteItemsCommand';
    if (isPut && JSON.stringify(input).includes('"message":')) await act();
    await goOn();
  });

/** Holds up the first put of a message, until it is let go: a sender who is slow between the ticket and the message. */
export function pauseFirstMessagePut(): {
  /** Fulfilled when it is held up. */
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

/** The function dies at its k-th call of the table (from 1): just before the call, or just after it. */
export function crashAtCall(k: number, when: 'before' | 'after'): () => void {
  let calls = 0;
  return interceptCalls(async (_, goOn) => {
    calls += 1;
    if (calls !== k || when === 'after') await goOn();
    if (calls === k) throw new Error('The function dies here.');
  });
}

/** Nothing can be updated in the table. */
export const failUpdates = () =>
  interceptCalls(async ({ command }, goOn) => {
    if (command === 'UpdateItemCommand') throw new Error('The table takes no updates.');
    await goOn();
  });
