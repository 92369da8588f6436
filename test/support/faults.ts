import { client } from '../../shared/table/client.ts';

/**
 * Does something before each call of the table of that kind, such as waiting or failing, until the returned function
 * is called. The call itself goes to the real engine.
 */
export function before(
  command: 'PutItemCommand' | 'UpdateItemCommand',
  act: () => Promise<void>,
): () => void {
  const name = `before ${command}`;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName === command) await act();
      return next(args);
    },
    { step: 'initialize', name },
  );
  return () => client.middlewareStack.remove(name);
}
