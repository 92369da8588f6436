import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { runningTable } from '../../../lib/businesses/business-table.ts';
import { stageTable } from '../../../lib/businesses/stage-table.ts';
import { listen } from '../../../lib/local/listen.ts';
import { announce } from '../../../lib/local/running.ts';

const folder = mkdtempSync(join(tmpdir(), 'messaging-running-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stacks = mockClient(CloudFormationClient);
afterEach(() => {
  stacks.reset();
});

describe('The table of a stage', () => {
  test('is the one that its stack names', async () => {
    stacks.on(DescribeStacksCommand, { StackName: 'messaging-staging' }).resolves({
      Stacks: [
        {
          StackName: 'messaging-staging',
          CreationTime: new Date(),
          StackStatus: 'UPDATE_COMPLETE',
          Outputs: [
            { OutputKey: 'ApiUrl', OutputValue: 'https://api.example.com' },
            { OutputKey: 'TableName', OutputValue: 'messaging-staging-Table-1' },
          ],
        },
      ],
    });
    expect((await stageTable('staging')).name).toBe('messaging-staging-Table-1');
  });

  test('cannot be found when there is no such stack, and it is said why', async () => {
    stacks.on(DescribeStacksCommand).rejects('Stack with id messaging-stagin does not exist');
    await expect(stageTable('stagin')).rejects.toThrow(
      'The stack messaging-stagin cannot be found: Stack with id messaging-stagin does not exist',
    );
  });

  test('cannot be found when the stack does not name it', async () => {
    stacks.on(DescribeStacksCommand).resolves({ Stacks: [] });
    await expect(stageTable('dev')).rejects.toThrow(
      'The stack messaging-dev has no output TableName: deploy it again.',
    );
  });
});

describe('The table of the local cloud', () => {
  const none = `No local cloud is running on ${folder}: \`npm start\` starts one.`;

  test('is the one of the cloud that runs on the folder, as long as it does', async () => {
    const { port, close } = await listen(
      createServer((_, response) => response.end()),
      0,
    );
    const endpoint = `http://127.0.0.1:${port}`;
    await expect(runningTable(folder)).rejects.toThrow(none);

    const takeBack = await announce(folder, { endpoint, tableName: 'one' });
    const { client, name } = await runningTable(folder);
    expect(name).toBe('one');
    expect(await client.config.endpoint?.()).toMatchObject({ port, hostname: '127.0.0.1' });

    const takeBackOther = await announce(folder, { endpoint, tableName: 'other' });
    await takeBack();
    expect((await runningTable(folder)).name).toBe('other');
    await takeBackOther();
    expect(readdirSync(folder)).toEqual([]);
    await close();
  });

  test('is not that of a cloud that was killed', async () => {
    const { port, close } = await listen(createServer(), 0);
    await close();
    await announce(folder, { endpoint: `http://127.0.0.1:${port}`, tableName: 'one' });
    await expect(runningTable(folder)).rejects.toThrow(none);
  });

  test.each(['', '{"endpoint": 1}', 'x'])(
    'is none when the word that was left is %j',
    async (text) => {
      writeFileSync(join(folder, 'running.json'), text);
      await expect(runningTable(folder)).rejects.toThrow(none);
    },
  );
});
