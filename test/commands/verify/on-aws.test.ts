import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  type MetricAlarm,
} from '@aws-sdk/client-cloudwatch';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  DynamoDBServiceException,
} from '@aws-sdk/client-dynamodb';
import { IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import * as v from 'valibot';
import { alarmChecks } from '../../../commands/verify/checks/alarm-checks.ts';
import { indexChecks } from '../../../commands/verify/checks/index-checks.ts';
import { tableChecks } from '../../../commands/verify/checks/table-checks.ts';
import { type Check, runCheck } from '../../../commands/verify/target/check.ts';
import { findTarget, type VerifyTarget } from '../../../commands/verify/target/target.ts';
import { getStage } from '../../../lib/stages.ts';
import { Template } from '../../../lib/synthesis/template.ts';
import { getTemplate } from '../../support/template/get-template.ts';

const [stacks, iam, table, alarms, topics] = [
  mockClient(CloudFormationClient),
  mockClient(IAMClient),
  mockClient(DynamoDBClient),
  mockClient(CloudWatchClient),
  mockClient(SNSClient),
];

const template = v.parse(Template, getTemplate('prod', getStage('prod')).toJSON());

/** Mocks the deployed stage prod. Physical ids are logical ids with the prefix `physical-`. */
async function prod(): Promise<VerifyTarget> {
  stacks.on(DescribeStacksCommand).resolves({
    Stacks: [
      {
        StackName: 'messaging-prod',
        StackId: 'arn:aws:cloudformation:eu-central-1:123456789012:stack/messaging-prod/1',
        CreationTime: new Date(),
        StackStatus: 'UPDATE_COMPLETE',
        Outputs: [
          { OutputKey: 'ApiUrl', OutputValue: 'https://api.example.com/prod/' },
          { OutputKey: 'TableName', OutputValue: 'the-table' },
        ],
      },
    ],
  });
  stacks.on(GetTemplateCommand).resolves({ TemplateBody: JSON.stringify(template) });
  stacks.on(ListStackResourcesCommand).resolves({
    StackResourceSummaries: Object.entries(template.Resources).map(([id, { Type }]) => ({
      LogicalResourceId: id,
      PhysicalResourceId: `physical-${id}`,
      ResourceType: Type,
      LastUpdatedTimestamp: new Date(),
      ResourceStatus: 'UPDATE_COMPLETE',
    })),
  });
  const noOptions = { local: false, directory: '', yesProd: false, environment: {} };
  return findTarget({ ...noOptions, stage: 'prod' });
}

const runAll = async (checks: readonly Check[]) => {
  const findings = await Promise.all(checks.map(runCheck));
  return findings.map(({ state, seen }) => [state, seen]);
};

beforeEach(() => {
  process.env.AWS_REGION = 'eu-central-1';
  for (const one of [stacks, iam, table, alarms, topics]) one.reset();
});

describe('A deployed stage that retains its data', () => {
  test('gets no test users without --yes-prod, and each check that needs them reports the reason', async () => {
    const subject = await prod();
    expect([subject.url, subject.users]).toEqual(['https://api.example.com/prod', undefined]);
    const [[state, seen] = []] = await runAll(indexChecks(subject).slice(0, 1));
    expect([state, seen]).toEqual([
      'not checkable',
      'prod retains its data: add --yes-prod to create users there and delete them afterwards',
    ]);
  });

  test('passes the grants check only if IAM’s simulation of its policies allows no unexpected query', async () => {
    iam.on(SimulatePrincipalPolicyCommand).callsFake(({ ContextEntries }) => {
      const keys: string[] = ContextEntries?.[0]?.ContextKeyValues ?? [];
      const own = keys.length > 0 && keys.every((key) => key !== 'SOMETHING#ELSE');
      return { EvaluationResults: [{ EvalDecision: own ? 'allowed' : 'implicitDeny' }] };
    });
    const grants = indexChecks(await prod())[4];
    if (!grants) throw new Error('There is no such check.');
    expect(await runAll([grants])).toEqual([
      ['ok', expect.stringMatching(/^as expected in all \d{2,} cases$/)],
    ]);
    const [first] = iam.commandCalls(SimulatePrincipalPolicyCommand);
    expect(first?.args[0].input).toEqual({
      PolicySourceArn: expect.stringMatching(
        /^arn:aws:iam::123456789012:role\/physical-MessagesListRole/,
      ),
      ActionNames: ['dynamodb:Query'],
      ResourceArns: ['arn:aws:dynamodb:eu-central-1:123456789012:table/the-table/index/gsi1'],
      ContextEntries: [
        {
          ContextKeyName: 'dynamodb:LeadingKeys',
          ContextKeyType: 'stringList',
          ContextKeyValues: ['INBOX#CONTACT#verify'],
        },
      ],
    });

    iam.on(SimulatePrincipalPolicyCommand).resolves({
      EvaluationResults: [{ EvalActionName: 'dynamodb:Query', EvalDecision: 'allowed' }],
    });
    const [[state, seen] = []] = await runAll([grants]);
    expect(state).toBe('failed');
    expect(seen).toContain('messages/list may query gsi1 for []');
  });

  test('passes the table checks only with point-in-time recovery, TTL and deletion protection', async () => {
    const recovery = (PointInTimeRecoveryStatus: 'ENABLED' | 'DISABLED') =>
      table.on(DescribeContinuousBackupsCommand).resolves({
        ContinuousBackupsDescription: {
          ContinuousBackupsStatus: 'ENABLED',
          PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus },
        },
      });
    const subject = await prod();
    recovery('ENABLED');
    table.on(DescribeTimeToLiveCommand).resolves({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires_at' },
    });
    table.on(DescribeTableCommand).resolves({ Table: { DeletionProtectionEnabled: true } });
    expect(await runAll(tableChecks(subject))).toEqual([
      ['ok', 'ENABLED'],
      ['ok', 'ENABLED on expires_at'],
      ['ok', 'yes'],
    ]);
    recovery('DISABLED');
    table.on(DescribeTimeToLiveCommand).resolves({});
    table.on(DescribeTableCommand).resolves({ Table: {} });
    expect(await runAll(tableChecks(subject))).toEqual([
      ['failed', 'DISABLED'],
      ['failed', 'undefined on undefined'],
      ['failed', 'no'],
    ]);
  });

  test('reports the table checks as not checkable if permissions are missing', async () => {
    const denied = new DynamoDBServiceException({
      name: 'AccessDeniedException',
      message: 'User: qa is not authorized to perform: dynamodb:DescribeTable',
      $fault: 'client',
      $metadata: {},
    });
    table.onAnyCommand().rejects(denied);
    expect(await runAll(tableChecks(await prod()))).toEqual(
      Array(3).fill(['not checkable', denied.message]),
    );
  });

  test.each<[string, MetricAlarm[], string, string]>([
    [
      'passes the alarm check if all alarms are OK',
      [{}, {}],
      'ok',
      '2 alarms, none in state ALARM',
    ],
    [
      'fails the alarm check if an alarm is in state ALARM',
      [{}, { StateValue: 'ALARM' }],
      'failed',
      'messaging-prod-1 is in state ALARM',
    ],
    [
      'fails the alarm check if an alarm has no actions',
      [{ AlarmActions: [] }],
      'failed',
      'messaging-prod-0 has no actions',
    ],
    [
      'fails the alarm check if the actions of an alarm are disabled',
      [{ ActionsEnabled: false }],
      'failed',
      'messaging-prod-0 has no actions',
    ],
    [
      'fails the alarm check without alarms',
      [],
      'failed',
      'no alarm has the prefix messaging-prod-',
    ],
  ])('%s', async (_, metricAlarms, state, seen) => {
    alarms.on(DescribeAlarmsCommand, { AlarmNamePrefix: 'messaging-prod-' }).resolves({
      MetricAlarms: metricAlarms.map((alarm, n) => ({
        AlarmName: `messaging-prod-${n}`,
        StateValue: 'OK',
        ActionsEnabled: true,
        AlarmActions: ['topic'],
        ...alarm,
      })),
    });
    expect(await runAll(alarmChecks(await prod()).slice(0, 1))).toEqual([[state, seen]]);
  });

  test.each([
    [
      'passes the recipient check with a confirmed subscription',
      ['arn:aws:sns:eu-central-1:1:topic:1'],
      'ok',
      '1 confirmed, 0 pending',
    ],
    [
      'fails the recipient check with a pending subscription',
      ['PendingConfirmation'],
      'failed',
      '0 confirmed, 1 pending',
    ],
    ['fails the recipient check without a subscription', [], 'failed', '0 confirmed, 0 pending'],
  ])('%s', async (_, subscriptions, state, seen) => {
    const pages = subscriptions.map((SubscriptionArn) => ({ SubscriptionArn }));
    // Only the first topic has subscriptions.
    topics
      .on(ListSubscriptionsByTopicCommand)
      .callsFake(() => ({ Subscriptions: pages.splice(0, pages.length) }));
    expect(await runAll(alarmChecks(await prod()).slice(1))).toEqual([[state, seen]]);
  });
});
