import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { findDynoxide, startDynoxide } from '../../../local-cloud/table/dynoxide.ts';
import { startTableEngine } from '../../../local-cloud/table/table-engine.ts';
import { temporaryFolder } from '../small-stack.ts';

const environment = process.env;
afterEach(() => {
  process.env = environment;
});

const withoutJava = () => {
  process.env = { ...environment, JAVA_HOME: temporaryFolder() };
};

async function runEngine(directory: string, create?: string) {
  const warnings: string[] = [];
  const { endpoint, stop } = await startTableEngine({ directory }, (line) => warnings.push(line));
  const client = new DynamoDBClient(toLocalServiceConfig(endpoint));
  if (create) await client.send(createTable(create));
  const { TableNames } = await client.send(new ListTablesCommand());
  await stop();
  return { warnings, tables: TableNames };
}

const createTable = (TableName: string) =>
  new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  });

const linuxTest = findDynoxide() ? test : test.skip;

describe('Without Java, the table', () => {
  linuxTest('runs on Dynoxide, and keeps its engine when Java is installed later', async () => {
    withoutJava();
    const directory = join(temporaryFolder(), 'table');
    const warning =
      'Java 17 or newer is missing, so the table runs on Dynoxide instead of DynamoDB Local.';
    expect(await runEngine(directory, 'things')).toEqual({
      warnings: [warning],
      tables: ['things'],
    });
    process.env = environment;
    expect(await runEngine(directory)).toEqual({ warnings: [], tables: ['things'] });
    expect(readdirSync(directory)).not.toContain('shared-local-instance.db');
  });

  linuxTest('starts at the second attempt if Dynoxide exits at the first', async () => {
    const folder = temporaryFolder();
    const program = join(folder, 'dynoxide');
    const failOnce = `[ -e ${folder}/failed ] || { touch ${folder}/failed; exit 1; }`;
    const script = `#!/bin/sh\n${failOnce}\nexec ${findDynoxide()} "$@"\n`;
    writeFileSync(program, script, { mode: 0o755 });
    const { endpoint, stop } = await startDynoxide(program, {});
    const client = new DynamoDBClient(toLocalServiceConfig(endpoint));
    const { TableNames } = await client.send(new ListTablesCommand());
    await stop();
    expect(TableNames).toEqual([]);
  });

  test('does not start in a data folder of DynamoDB Local', async () => {
    withoutJava();
    const directory = temporaryFolder();
    writeFileSync(join(directory, 'shared-local-instance.db'), '');
    await expect(runEngine(directory)).rejects.toThrow('Java 17 or newer is needed, but no java');
  });
});

test('An unsupported Java version is reported with its path', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'bin'));
  const script = '#!/bin/sh\necho java.lang.UnsupportedClassVersionError >&2; exit 1\n';
  writeFileSync(join(home, 'bin', 'java'), script, { mode: 0o755 });
  process.env = { ...environment, JAVA_HOME: home };
  const directory = temporaryFolder();
  writeFileSync(join(directory, 'shared-local-instance.db'), '');
  await expect(runEngine(directory)).rejects.toThrow(
    `Java 17 or newer is needed, but the Java installation in JAVA_HOME (${home}) is older: set JAVA_HOME to `,
  );
});
