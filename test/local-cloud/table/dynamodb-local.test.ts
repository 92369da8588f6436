import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { startDynamoDbLocal } from '../../../local-cloud/table/dynamodb-local.ts';
import { temporaryFolder } from '../small-stack.ts';

const environment = process.env;
afterEach(() => {
  process.env = environment;
});

const setVariables = (variables: Record<string, string>) => {
  process.env = { ...environment, ...variables };
};

describe('An unusable JAVA_HOME is reported with its path', () => {
  test.each([
    ['has no java', () => {}],
    [
      'has a java without execute permission',
      (home: string) => {
        mkdirSync(join(home, 'bin'));
        writeFileSync(join(home, 'bin', 'java'), '', { mode: 0o644 });
      },
    ],
  ])('if it %s', async (_, prepare) => {
    const home = temporaryFolder();
    prepare(home);
    setVariables({ JAVA_HOME: home });
    await expect(startDynamoDbLocal({ shared: true })).rejects.toThrow(
      `Java 17 or newer is needed, but no java was found in JAVA_HOME (${home}): set JAVA_HOME to another Java installation, or unset it. To install Java: `,
    );
  });
});

test('DynamoDB Local stores data in a folder with a non-ASCII name, even in the C locale', async () => {
  const directory = join(temporaryFolder(), 'Ördner 数据');
  setVariables({ LC_ALL: 'C' });
  const { endpoint, stop } = await startDynamoDbLocal({ shared: true, directory });
  const client = new DynamoDBClient(toLocalServiceConfig(endpoint));
  await client.send(new ListTablesCommand()).finally(stop);
  expect(readdirSync(directory)).toContain('shared-local-instance.db');
});
