import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { type RunningStage, toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { replay } from '../../../commands/webhooks/replay.ts';
import { Template } from '../../../lib/synthesis/template.ts';
import { type QueueServer, startQueueServer } from '../../../local-cloud/queues/queue-server.ts';
import { createQueues, type Queues } from '../../../local-cloud/queues/queues.ts';
import { withCommands } from '../../../local-cloud/stack/command-caller.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';

const queue = { Type: 'AWS::SQS::Queue', Properties: {} };
const template = v.parse(Template, { Resources: { Events: queue, Letters: queue }, Outputs: {} });
const stack = readStack('replay', template);
const [events = '', letters = ''] = stack
  .resources('AWS::SQS::Queue', v.unknown())
  .map(({ ref }) => ref);

let queues: Queues;
let server: QueueServer;
let stage: RunningStage;
beforeAll(async () => {
  const callers = withCommands(new Map());
  server = await startQueueServer(() => ({ queues, callers }));
  stage = {
    output: (name) => (name === 'WebhookQueueUrl' ? events : letters),
    findOutput: () => undefined,
    ...{ dynamodb: {}, ssm: {}, s3: {}, sqs: toLocalServiceConfig(server.endpoint) },
  };
});
beforeEach(() => {
  queues = createQueues(stack);
});
afterAll(() => server.stop());

const event = (id: string) => ({ id, type: 'message.created', version: 1, created_at: 1 });
const sendDeadLetter = (endpoint_id: string, id: string) =>
  queues.send(letters, { endpoint_id, event: event(id), reason: 'returned 500' });
const all = { endpointId: undefined, disabled: new Set<string>() };

test('Replaying one endpoint leaves other endpoints’ dead letters for the next run', async () => {
  sendDeadLetter('one', 'a');
  sendDeadLetter('two', 'b');
  expect(await replay(stage, { ...all, endpointId: 'one' })).toBe(1);
  expect(queues.messages.get('Events')).toEqual([{ detail: event('a'), endpoint_id: 'one' }]);
  expect(await replay(stage, all)).toBe(1);
  expect(queues.messages.get('Letters')).toEqual([]);
});

test('Replaying skips the dead letters of disabled endpoints', async () => {
  sendDeadLetter('one', 'a');
  expect(await replay(stage, { ...all, disabled: new Set(['one']) })).toBe(0);
  expect(queues.messages.get('Letters')).toHaveLength(1);
});

test('If two dead letters contain the same event, replaying queues the event once and leaves one dead letter', async () => {
  sendDeadLetter('one', 'a');
  sendDeadLetter('one', 'a');
  expect(await replay(stage, all)).toBe(1);
  expect([queues.messages.get('Events')?.length, queues.messages.get('Letters')?.length]).toEqual([
    1, 1,
  ]);
});

test('Replaying an event that the event bus failed to deliver queues the event for all endpoints', async () => {
  queues.send(letters, { version: '0', source: 'messaging-service', detail: event('a') });
  expect(await replay(stage, all)).toBe(1);
  expect(queues.messages.get('Events')).toEqual([{ detail: event('a') }]);
});
