import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import type { World } from '../../../lib/recovery/world.ts';

/** A world in which waiting takes no time, DynamoDB answers what a test says, and all that is said is kept. */
export function mockedWorld() {
  const client = new DynamoDBClient({ region: 'eu-central-1' });
  const mock = mockClient(client);
  const printed: string[] = [];
  let now = Date.UTC(2026, 10, 21, 12);
  const world: World = {
    client,
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
    print: (line) => {
      printed.push(line);
    },
  };
  const calls = () =>
    mock.calls().map(({ args: [command] }) => [command.constructor.name, command.input]);
  return { world, mock, printed, calls };
}
