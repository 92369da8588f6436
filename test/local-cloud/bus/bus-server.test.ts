import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import * as v from 'valibot';
import { Template } from '../../../lib/synthesis/template.ts';
import { arn } from '../../../local-cloud/account.ts';
import { type BusServer, startBusServer } from '../../../local-cloud/bus/bus-server.ts';
import { readEventRules } from '../../../local-cloud/bus/event-rules.ts';
import { invokeWithRetries } from '../../../local-cloud/bus/invoke-with-retries.ts';
import { createQueues } from '../../../local-cloud/queues/queues.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { waitUntil } from '../../support/processes/wait-until.ts';

const busArn = arn('events', 'event-bus/chat');
const rule = (target: unknown, pattern: object) => ({
  Type: 'AWS::Events::Rule',
  Properties: {
    EventBusName: 'chat',
    EventPattern: pattern,
    Targets: [{ Id: 'one', Arn: target }],
  },
});
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

const resources = {
  Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'chat' } },
  All: { Type: 'AWS::SQS::Queue', Properties: {} },
  ToAll: rule(arnOf('All'), { source: ['test'] }),
  Policy: {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: 'All' }],
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Allow',
            Action: 'sqs:SendMessage',
            Principal: { Service: 'events.amazonaws.com' },
            Resource: arnOf('All'),
            Condition: { ArnEquals: { 'aws:SourceArn': arnOf('ToAll') } },
          },
        ],
      },
    },
  },
  ToFunction: rule(arn('lambda', 'function:handler'), { 'detail-type': [{ prefix: 'message.' }] }),
  Permission: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: 'handler',
      Principal: 'events.amazonaws.com',
      SourceArn: arnOf('ToFunction'),
    },
  },
};
const toStack = (Resources: object) => readStack('small', v.parse(Template, { Resources }));

const invoked: unknown[] = [];
const noInvoke = async () => {};
const queuesOf = (Resources: object) => createQueues(toStack(Resources));
const queues = queuesOf(resources);
const inQueue = () => (queues.messages.get('All') ?? []).slice(queuedBefore);
let queuedBefore = 0;

let server: BusServer;
beforeAll(async () => {
  const rules = readEventRules(toStack(resources), {
    queues,
    invoke: async (_, event) => {
      invoked.push(event);
    },
  });
  const callerOf = (functionId: string, isAllowed: boolean) => ({
    functionId,
    session: functionId,
    decide: (action: string, resource: string) =>
      isAllowed && action === 'events:PutEvents' && resource === busArn
        ? ('allow' as const)
        : ('no policy allows it' as const),
  });
  const callers = new Map([
    ['LIVE', callerOf('live', true)],
    ['OTHER', callerOf('other', false)],
  ]);
  server = await startBusServer({ rules, callers, log: () => {} });
});
beforeEach(() => {
  invoked.length = 0;
  queuedBefore = queues.messages.get('All')?.length ?? 0;
});
afterAll(() => server.stop());

const entry = (DetailType: string, fields: object = {}) => ({
  ...{ EventBusName: 'chat', Source: 'test', DetailType, Detail: '{"id":"1"}', Time: 1767258005 },
  ...fields,
});

async function put(Entries: unknown[], accessKeyId = 'LIVE') {
  const url = new URL(server.variables.BUS_URL ?? '');
  const signer = new SignatureV4({
    ...{ service: 'events', region: 'us-east-1', sha256: Sha256 },
    credentials: { accessKeyId, secretAccessKey: 'local' },
  });
  const { headers, body } = await signer.sign({
    ...{ method: 'POST', protocol: url.protocol, hostname: url.host, path: '/' },
    headers: { host: url.host, 'x-amz-target': 'AWSEvents.PutEvents' },
    body: JSON.stringify({ Entries }),
  });
  const { host: _, ...others } = headers;
  const response = await fetch(url, { method: 'POST', headers: others, body });
  return { status: response.status, body: await response.json() };
}

describe('The event bus', () => {
  test('delivers events to the targets of matching rules', async () => {
    const { status, body } = await put([entry('message.created'), entry('conversation.created')]);
    expect([status, body]).toMatchObject([200, { FailedEntryCount: 0 }]);
    await waitUntil(() => invoked.length === 1);
    const first = {
      ...{ version: '0', source: 'test', 'detail-type': 'message.created', detail: { id: '1' } },
      ...{ time: '2026-01-01T09:00:05Z', account: '000000000000', region: 'us-east-1' },
    };
    expect(invoked).toMatchObject([first]);
    expect(inQueue()).toMatchObject([first, { 'detail-type': 'conversation.created' }]);
  });

  test('accepts a call’s valid entries if another entry is malformed', async () => {
    const before = inQueue().length;
    const { body } = await put([entry('a', { Detail: 'text' }), entry('b')]);
    expect(body).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode: 'InvalidArgument' }, { EventId: expect.any(String) }],
    });
    expect(inQueue()).toHaveLength(before + 1);
  });

  test.each([
    ['a call with 11 entries', () => put(Array(11).fill(entry('a'))), 'ValidationException'],
    ['a call without entries', () => put([]), 'ValidationException'],
    [
      'a call by a role without permission',
      () => put([entry('a')], 'OTHER'),
      'AccessDeniedException',
    ],
    [
      'a call with an unknown access key',
      () => put([entry('a')], 'NOBODY'),
      'AccessDeniedException',
    ],
    [
      'a call to another bus',
      () => put([entry('a', { EventBusName: 'other' })]),
      'AccessDeniedException',
    ],
  ])('refuses %s', async (_, act, type) => {
    const before = inQueue().length;
    expect((await act()).body).toMatchObject({ __type: type });
    expect(inQueue()).toHaveLength(before);
  });
});

describe('A rule', () => {
  test.each([
    ['queue', 'Policy', 'to send to it'],
    ['function', 'Permission', 'to invoke it'],
  ])('is rejected if its target %s does not grant it permission', (_, policy, reason) => {
    const { [policy]: omitted, ...Resources } = { ...resources } as Record<string, object>;
    expect(omitted).toBeDefined();
    expect(() =>
      readEventRules(toStack(Resources), { queues: queuesOf(Resources), invoke: noInvoke }),
    ).toThrow(reason);
  });

  test('is rejected if the local cloud does not support its target', () => {
    const Resources = { ...resources, Other: rule(arn('sns', 'topic'), { source: ['test'] }) };
    expect(() => readEventRules(toStack(Resources), { queues, invoke: noInvoke })).toThrow(
      'does not support arn:aws:sns',
    );
  });

  test('with a schedule matches no events', () => {
    const Schedule = {
      Type: 'AWS::Events::Rule',
      Properties: { ScheduleExpression: 'rate(5 minutes)', Targets: [] },
    };
    const rules = readEventRules(toStack({ Schedule }), { queues, invoke: noInvoke });
    expect(rules.findTargets('default', {})).toEqual([]);
  });
});

test('A function that fails once is invoked again', async () => {
  let invocations = 0;
  await invokeWithRetries(async () => {
    invocations += 1;
    return invocations === 1
      ? { ok: false, failure: { errorType: 'Error', errorMessage: 'broken' } }
      : { ok: true, reply: 'null' };
  });
  expect(invocations).toBe(2);
});
