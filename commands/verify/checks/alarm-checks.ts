import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { Problem } from '../../../lib/problem.ts';
import { toStackName } from '../../../lib/stage-names.ts';
import { type Check, NotCheckable, requireValue } from '../target/check.ts';
import { noServicesReason, type VerifyTarget } from '../target/target.ts';

export const alarmChecks = (target: VerifyTarget): Check[] => [
  {
    name: 'Alarms: each has actions, and none is in state ALARM',
    expected: 'every alarm of the stack has actions, and none is in state ALARM',
    cure: 'see the alarm’s entry in docs/runbook.md',
    run: async () => {
      requireAws(target);
      const client = new CloudWatchClient();
      const AlarmNamePrefix = toStackName(target.name);
      const faults: string[] = [];
      let count = 0;
      for await (const { MetricAlarms = [] } of paginateDescribeAlarms(
        { client },
        { AlarmNamePrefix: `${AlarmNamePrefix}-` },
      )) {
        for (const { AlarmName, StateValue, ActionsEnabled, AlarmActions = [] } of MetricAlarms) {
          count += 1;
          if (StateValue === 'ALARM') faults.push(`${AlarmName} is in state ALARM`);
          if (!ActionsEnabled || AlarmActions.length === 0)
            faults.push(`${AlarmName} has no actions`);
        }
      }
      if (count === 0) throw new Problem(`no alarm has the prefix ${AlarmNamePrefix}-`);
      if (faults.length > 0) throw new Problem(faults.join('; '));
      return `${count} alarms, none in state ALARM`;
    },
  },
  {
    name: 'Alarms: confirmed subscription',
    expected: 'at least one confirmed subscription, none pending',
    cure: 'set alarmEmail in lib/stages.ts and follow the link in the email from AWS, or subscribe to the topic',
    run: async () => {
      const { resources } = requireAws(target);
      const client = new SNSClient();
      let confirmed = 0;
      let pending = 0;
      for (const TopicArn of await resources('AWS::SNS::Topic')) {
        for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic(
          { client },
          { TopicArn },
        )) {
          for (const { SubscriptionArn } of Subscriptions) {
            if (SubscriptionArn?.startsWith('arn:')) confirmed += 1;
            else pending += 1;
          }
        }
      }
      const seen = `${confirmed} confirmed, ${pending} pending`;
      const noSubscriber = confirmed === 0 && target.stage?.keepsData;
      if (pending > 0 || noSubscriber) throw new Problem(seen);
      if (confirmed === 0) throw new NotCheckable('the stage has no alarm recipients');
      return seen;
    },
  },
];

function requireAws({ kind, deployed }: VerifyTarget) {
  if (kind === 'local') throw new NotCheckable('the local cloud has no alarms');
  return requireValue(deployed, noServicesReason);
}
