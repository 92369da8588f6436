import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { handler } from '../../functions/deployment-hook.ts';
import { listen } from '../../local-cloud/listen.ts';
import { clock } from '../../shared/clock.ts';

const event = { DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'hook-1' };
const fromQueue = { Records: [{ body: JSON.stringify(event) }] };

let calls: { target: string | undefined; input: unknown }[];
let failure: { status: number; type: string } | undefined;
const server = createServer(async (request, response) => {
  const target = String(request.headers['x-amz-target']);
  calls.push({ target, input: await json(request) });
  response.writeHead(failure?.status ?? 200).end(JSON.stringify({ __type: failure?.type }));
});
let aws: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  aws = await listen(server, 0);
  process.env.PROVING_SECONDS = '600';
  process.env.QUEUE_URL = `http://127.0.0.1:${aws.port}/1/proving`;
  process.env.AWS_ENDPOINT_URL_CODEDEPLOY = `http://127.0.0.1:${aws.port}`;
});
afterAll(() => aws.close());
beforeEach(() => {
  jest.spyOn(clock, 'sleep').mockResolvedValue();
  calls = [];
  failure = undefined;
});

describe('A new version that receives all traffic', () => {
  test('makes the hook queue the event with a delay of PROVING_SECONDS, without reporting to CodeDeploy', async () => {
    await handler(event);
    expect(calls).toEqual([
      {
        target: 'AmazonSQS.SendMessage',
        input: {
          QueueUrl: process.env.QUEUE_URL,
          MessageBody: JSON.stringify(event),
          DelaySeconds: 600,
        },
      },
    ]);
  });

  test('is reported as successful when the queue delivers the event', async () => {
    await handler(fromQueue);
    expect(calls).toEqual([
      {
        target: 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus',
        input: {
          deploymentId: 'd-1',
          lifecycleEventHookExecutionId: 'hook-1',
          status: 'Succeeded',
        },
      },
    ]);
  });

  test('is reported in one call, without an error, even if CodeDeploy has already ended the deployment', async () => {
    failure = { status: 400, type: 'LifecycleEventAlreadyCompletedException' };
    await expect(handler(fromQueue)).resolves.toBeUndefined();
    expect(calls.length).toBe(1);
  });

  test('makes the hook fail after three failed attempts to report or to queue the event', async () => {
    failure = { status: 500, type: 'InternalFailure' };
    await expect(handler(fromQueue)).rejects.toThrow('codedeploy returned 500');
    await expect(handler(event)).rejects.toThrow('sqs returned 500');
    expect(calls.length).toBe(6);
  });
});
