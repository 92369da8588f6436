import { client } from '../../shared/table/client.ts';

/**
 * Does something before each put of a message, such as waiting or failing, until the returned function is called. The
 * put itself, and all else, goes to the real engine.
 */
export function beforeMessagePut(act: () => Promise<void>): () => void {
  const name = 'beforeMessagePut';
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const isPut = context.commandName === 'PutItemCommand';
      if (isPut && JSON.stringify(args.input).includes('"message":')) await act();
      return next(args);
    },
    { step: 'initialize', name },
  );
  return () => client.middlewareStack.remove(name);
}
