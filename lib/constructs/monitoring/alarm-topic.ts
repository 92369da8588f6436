import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';
import { getStageKey } from '../stage-key.ts';
import type { Severity } from './alarm-definition.ts';

/** Display names in e-mails and text messages. */
const displayNames: Readonly<Record<Severity, string>> = {
  page: 'Messaging service: page',
  ticket: 'Messaging service: ticket',
};

/**
 * Topic for the alarms of one severity. SNS encrypts the topic at rest, with the stage's key if
 * there is one. The AWS managed key alias/aws/sns is unsuitable, because its policy does not admit
 * CloudWatch and cannot be changed.
 */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, severity: Severity, { alarmEmail }: Stage) {
    const masterKey = getStageKey(scope);
    super(scope, id, {
      displayName: displayNames[severity],
      enforceSSL: true,
      ...(masterKey && { masterKey }),
    });
    // This policy replaces the default policy, which lets all principals and alarms of the account
    // publish.
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsPublish',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    // The recipient must confirm the subscription in an e-mail from SNS.
    if (alarmEmail) this.addSubscription(new EmailSubscription(alarmEmail));
  }
}
