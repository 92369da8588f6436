import {
  CodeDeployClient,
  PutLifecycleEventHookExecutionStatusCommand,
} from '@aws-sdk/client-codedeploy';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { handler } from '../../functions/deployment-hook.ts';

const codeDeploy = mockClient(CodeDeployClient);
const queue = mockClient(SQSClient);

const event = { DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'hook-1' };
const fromQueue = { Records: [{ body: JSON.stringify(event) }] };

beforeEach(() => {
  codeDeploy.reset();
  queue.reset();
  process.env.QUEUE_URL = 'https://queue';
  process.env.PROVING_SECONDS = '600';
});

describe('A new version that receives all traffic', () => {
  test('stays on probation: CodeDeploy gets no status yet', async () => {
    await handler(event);
    expect(codeDeploy.calls()).toEqual([]);
    expect(queue.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => input)).toEqual([
      { QueueUrl: 'https://queue', MessageBody: JSON.stringify(event), DelaySeconds: 600 },
    ]);
  });

  test('is reported as successful some minutes later', async () => {
    await handler(fromQueue);
    expect(
      codeDeploy
        .commandCalls(PutLifecycleEventHookExecutionStatusCommand)
        .map(({ args: [{ input }] }) => input),
    ).toEqual([
      { deploymentId: 'd-1', lifecycleEventHookExecutionId: 'hook-1', status: 'Succeeded' },
    ]);
  });

  test('is not reported and causes no error if it was rolled back in the meantime', async () => {
    const over = Object.assign(new Error('over'), {
      name: 'LifecycleEventAlreadyCompletedException',
    });
    codeDeploy.on(PutLifecycleEventHookExecutionStatusCommand).rejects(over);
    await expect(handler(fromQueue)).resolves.toBeUndefined();
  });

  test('is reported again if the first report failed', async () => {
    codeDeploy.on(PutLifecycleEventHookExecutionStatusCommand).rejects(new Error('busy'));
    await expect(handler(fromQueue)).rejects.toThrow('busy');
    queue.on(SendMessageCommand).rejects(new Error('no queue'));
    await expect(handler(event)).rejects.toThrow('no queue');
  });
});
