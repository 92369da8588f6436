import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import type { RecoveryTools } from '../../../commands/recovery/recovery-tools.ts';

/**
 * Returns tools that advance a virtual clock instead of waiting, record the output, and call a
 * mocked DynamoDB.
 */
export function mockTools() {
  const client = new DynamoDBClient({ region: 'eu-central-1' });
  const documents = DynamoDBDocumentClient.from(client);
  const mock = mockClient(client);
  const items = mockClient(documents);
  const printed: string[] = [];
  let now = Date.UTC(2026, 10, 21, 12);
  const tools: RecoveryTools = {
    client,
    table: (name) => ({ name, client: documents }),
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
    print: (line) => {
      printed.push(line);
    },
  };
  const calls = () =>
    [...mock.calls(), ...items.calls()].map(({ args: [command] }) => [
      command.constructor.name,
      command.input,
    ]);
  return { tools, mock, items, printed, calls };
}
