import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import type { Severity } from './alarm-row.ts';

/** What letters and text messages are from. */
const displayNames: Readonly<Record<Severity, string>> = {
  page: 'Messaging service: now',
  ticket: 'Messaging service: to look at',
};

/**
 * Who is told when an alarm of a severity is raised, and when it is over. Encrypted by what SNS itself does at rest: with the key
 * alias/aws/sns CloudWatch could not publish, as that key's policy is AWS's and does not let it; and a key of our own, at
 * a dollar a month, would hide that the service is slow from those who may read its alarms anyway.
 */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, severity: Severity, { alarmEmail }: Stage) {
    super(scope, id, { displayName: displayNames[severity], enforceSSL: true });
    // A policy of its own takes the place of the one that lets everybody of the account publish, alarms included.
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsPublish',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    // The address gets a letter to confirm first.
    if (alarmEmail) this.addSubscription(new EmailSubscription(alarmEmail));
  }
}
