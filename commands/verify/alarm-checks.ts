import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { stackNameOf } from '../../lib/stage-names.ts';
import { type Check, Differs, NotCheckable, needed } from './check.ts';
import { noServices, type Subject } from './subject.ts';

/** Returns the checks of alarms and their subscribers. */
export const alarmChecks = (subject: Subject): Check[] => [
  {
    name: 'Alarms: all in state OK and with actions',
    expected: 'every alarm of the stack OK, with actions',
    cure: 'see the entry of the alarm in docs/runbook.md',
    look: async () => {
      onAws(subject);
      const client = new CloudWatchClient();
      const AlarmNamePrefix = stackNameOf(subject.name);
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
      if (count === 0) throw new Differs(`no alarm has the prefix ${AlarmNamePrefix}-`);
      if (faults.length > 0) throw new Differs(faults.join('; '));
      return `${count} alarms, all OK`;
    },
  },
  {
    name: 'Alarms: confirmed subscription',
    expected: 'at least one confirmed subscription, none pending',
    cure: 'set alarmEmail in lib/stages.ts and follow the link in the email from AWS, or subscribe to the topic',
    look: async () => {
      const { resources } = onAws(subject);
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
      const noSubscriber = confirmed === 0 && subject.stage?.keepsData;
      if (pending > 0 || noSubscriber) throw new Differs(seen);
      if (confirmed === 0) throw new NotCheckable('the stage has no alarm recipients');
      return seen;
    },
  },
];

function onAws({ kind, deployed }: Subject) {
  if (kind === 'local') throw new NotCheckable('the local cloud has no alarms');
  return needed(deployed, noServices);
}
