import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** AWS's client, for items that tests read and write without the service's own client. */
export const documentClient = DynamoDBDocumentClient.from(new DynamoDBClient(), {
  marshallOptions: { removeUndefinedValues: true },
});

/** Runs a hook before each call of this client until the returned function is called. */
export function beforeDocumentCalls(act: (command: string) => Promise<void>): () => void {
  documentClient.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        await act(commandName);
        return next(args);
      },
    { step: 'initialize', name: 'beforeDocumentCalls' },
  );
  return () => documentClient.middlewareStack.remove('beforeDocumentCalls');
}
