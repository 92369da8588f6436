import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { findDeployedStage, findRunningStage } from '../../../commands/stage/running-stage.ts';
import { listen } from '../../../local-cloud/listen.ts';
import { writeRunningCloud } from '../../../local-cloud/running-cloud.ts';

const folder = mkdtempSync(join(tmpdir(), 'messaging-running-'));
const terminal = () => findRunningStage(undefined, folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stacks = mockClient(CloudFormationClient);
afterEach(() => {
  stacks.reset();
});

describe('A deployed stage', () => {
  test("uses the default AWS configuration, and returns its stack's outputs", async () => {
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
    const { output, findOutput, ...services } = await findRunningStage('staging', folder);
    expect(output('TableName')).toBe('messaging-staging-Table-1');
    expect(findOutput('TableName')).toBe('messaging-staging-Table-1');
    expect(findOutput('QueueUrl')).toBeUndefined();
    expect(() => output('QueueUrl')).toThrow(
      'The stack messaging-staging has no output QueueUrl: the stage lacks the corresponding feature, or needs a new deployment.',
    );
    expect(services).toEqual({ dynamodb: {}, sqs: {}, s3: {}, ssm: {} });
  });

  test('is not found if its stack does not exist, and the error contains the reason', async () => {
    stacks.on(DescribeStacksCommand).rejects('Stack with id messaging-ann does not exist');
    await expect(findRunningStage('ann', folder)).rejects.toThrow(
      'Cannot find the stack messaging-ann: Stack with id messaging-ann does not exist',
    );
  });
});

describe('A stage with an account in lib/stages.ts', () => {
  const identity = mockClient(STSClient);
  beforeEach(() => {
    stacks.on(DescribeStacksCommand).resolves({ Stacks: [] });
    identity.reset();
    identity
      .on(GetCallerIdentityCommand)
      .resolves({ Account: '111122223333', Arn: 'arn:aws:iam::111122223333:user/ann' });
  });

  test('is rejected in another account', async () => {
    await expect(findDeployedStage('prod', { account: '999988887777' })).rejects.toThrow(
      'Wrong account or region: lib/stages.ts sets prod to account 999988887777, but this terminal uses 111122223333. Nothing was changed.',
    );
    expect(stacks.calls()).toEqual([]);
  });

  test('is found in its account, and STS is called only for stages with an account', async () => {
    await findDeployedStage('prod', { account: '111122223333' });
    expect(identity.calls()).toHaveLength(1);
    await findDeployedStage('ann', {});
    expect(identity.calls()).toHaveLength(1);
  });
});

describe('The local stage', () => {
  const notRunning = `No local cloud is running in ${folder}: start one with \`npm start\``;

  test('is the local cloud most recently started with the data folder', async () => {
    const { port, close } = await listen(
      createServer((_, response) => response.end()),
      0,
    );
    const endpoint = `http://127.0.0.1:${port}`;
    await expect(terminal()).rejects.toThrow(notRunning);

    const running = (TableName: string) => ({
      tableEndpoint: endpoint,
      queueEndpoint: 'http://127.0.0.1:2',
      parameterEndpoint: 'http://127.0.0.1:2',
      assembly: '/stack',
      stackName: 'messaging-dev',
      outputs: { TableName },
    });
    const takeBack = await writeRunningCloud(folder, running('one'));
    const { output, dynamodb, sqs } = await terminal();
    expect(output('TableName')).toBe('one');
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    expect(dynamodb).toEqual({ endpoint, region: 'us-east-1', credentials });
    expect(sqs).toEqual({ ...dynamodb, endpoint: 'http://127.0.0.1:2' });

    const takeBackOther = await writeRunningCloud(folder, running('other'));
    await takeBack();
    expect((await terminal()).output('TableName')).toBe('other');
    await takeBackOther();
    expect(readdirSync(folder)).toEqual([]);
    await close();
  });

  test('is not found after its process is killed', async () => {
    const { port, close } = await listen(createServer(), 0);
    await close();
    const endpoint = `http://127.0.0.1:${port}`;
    await writeRunningCloud(folder, {
      tableEndpoint: endpoint,
      queueEndpoint: endpoint,
      parameterEndpoint: endpoint,
      assembly: '/stack',
      stackName: 'messaging-dev',
      outputs: {},
    });
    await expect(terminal()).rejects.toThrow(notRunning);
  });

  test.each(['', '{"endpoint": 1}', 'x'])(
    'is not found if running.json contains %j',
    async (text) => {
      writeFileSync(join(folder, 'running.json'), text);
      await expect(terminal()).rejects.toThrow(notRunning);
    },
  );
});
