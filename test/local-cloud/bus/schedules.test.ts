import { expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { Template } from '../../../lib/synthesis/template.ts';
import { arn } from '../../../local-cloud/account.ts';
import { getSchedules, startSchedules } from '../../../local-cloud/bus/schedules.ts';
import { getFunctions } from '../../../local-cloud/functions/function-definition.ts';
import { readStack, type Stack } from '../../../local-cloud/stack/read-stack.ts';
import { createFunction, temporaryFolder } from '../small-stack.ts';

const folder = temporaryFolder();

const rule = (name: string, ScheduleExpression: string, State = 'ENABLED') => ({
  Type: 'AWS::Events::Rule',
  Properties: {
    ScheduleExpression,
    State,
    Targets: [{ Id: 'one', Arn: { 'Fn::GetAtt': [name, 'Arn'] } }],
  },
});
const permission = (name: string, ruleId: string) => ({
  Type: 'AWS::Lambda::Permission',
  Properties: {
    Action: 'lambda:InvokeFunction',
    FunctionName: { Ref: name },
    Principal: 'events.amazonaws.com',
    SourceArn: { 'Fn::GetAtt': [ruleId, 'Arn'] },
  },
});

const toStack = (resources: object): Stack =>
  readStack(
    'small',
    v.parse(Template, {
      Resources: {
        ...createFunction(folder, 'Worker', 'exports.handler = () => {};'),
        ...createFunction(folder, 'Probe', 'exports.handler = () => {};'),
        ...resources,
      },
    }),
  );
const getWorkers = (stack: Stack) =>
  getFunctions(stack, folder).filter(({ id }) => id === 'Worker');
const schedulesOf = (resources: object) => {
  const stack = toStack(resources);
  return getSchedules(stack, getWorkers(stack));
};

test('Only enabled schedules of the requested functions are read, with intervals in milliseconds', () => {
  const schedules = schedulesOf({
    Hourly: rule('Worker', 'rate(1 hour)'),
    HourlyPermission: permission('Worker', 'Hourly'),
    Off: rule('Worker', 'rate(5 minutes)', 'DISABLED'),
    Probing: rule('Probe', 'rate(5 minutes)'),
  });
  expect(schedules).toEqual([
    {
      ruleArn: expect.stringContaining('Hourly'),
      functionArn: arn('lambda', 'function:small-Worker'),
      milliseconds: 3_600_000,
    },
  ]);
});

test.each([
  [
    'whose rate has an unsupported unit',
    { Rule: rule('Worker', 'rate(1 week)'), RulePermission: permission('Worker', 'Rule') },
    /rate\(1 week\)/,
  ],
  [
    'without permission to invoke its function',
    { Rule: rule('Worker', 'rate(1 day)') },
    /No permission/,
  ],
])('A schedule %s is rejected', (_, resources, message) => {
  expect(() => schedulesOf(resources)).toThrow(message);
});

test('A schedule invokes its function immediately and after each interval until stopped', async () => {
  jest.useFakeTimers();
  const events: unknown[] = [];
  const { stop } = startSchedules({
    schedules: [{ ruleArn: 'rule', functionArn: 'worker', milliseconds: 60_000 }],
    invoke: async (_, event) => {
      events.push(event);
      return { ok: true, reply: '' };
    },
    log: () => {},
  });
  expect(events).toMatchObject([{ 'detail-type': 'Scheduled Event', resources: ['rule'] }]);
  jest.advanceTimersByTime(120_000);
  expect(events).toHaveLength(3);
  stop();
  jest.advanceTimersByTime(120_000);
  expect(events).toHaveLength(3);
  jest.useRealTimers();
});
