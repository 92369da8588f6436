import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';
import { formatForFinding } from '../format-for-finding.ts';
import { MessagingFunction } from '../messaging-function.ts';
import { StageQueue } from '../stage-queue.ts';

export interface BakeTimeHookProps {
  stage: Stage;
  bundles: string;
  /**
   * Time during which new code serves all invocations before the deployment succeeds. At most
   * 15 minutes, the maximum message delay of SQS.
   */
  duration: Duration;
  /** ARN pattern of the deployment groups that the hook may report to. */
  deploymentGroupsArn: string;
}

/**
 * Hook that keeps a deployment open after the last traffic shift, so that alarms can still roll it
 * back. Otherwise, CodeDeploy would end the deployment immediately after that shift.
 */
export class BakeTimeHook extends Construct {
  readonly hook: MessagingFunction;

  constructor(scope: Construct, id: string, props: BakeTimeHookProps) {
    super(scope, id);
    const { stage, bundles, duration, deploymentGroupsArn } = props;
    const queue = new StageQueue(this, 'Queue', {
      retentionPeriod: Duration.hours(1),
      visibilityTimeout: Duration.minutes(1),
      noDeadLettersReason:
        'CodeDeploy rolls back after an hour without a report, so a later report has no effect.',
    });
    this.hook = new MessagingFunction(this, 'Hook', {
      stage,
      path: 'deployment-hook',
      bundles,
      description: 'Keeps a deployment open while new code is monitored',
      memoryMegabytes: 256,
      environment: { QUEUE_URL: queue.queueUrl, PROVING_SECONDS: String(duration.toSeconds()) },
      statements: [
        new PolicyStatement({
          actions: [
            'sqs:SendMessage',
            'sqs:ReceiveMessage',
            'sqs:DeleteMessage',
            'sqs:GetQueueAttributes',
          ],
          resources: [queue.queueArn],
        }),
        new PolicyStatement({
          actions: ['codedeploy:PutLifecycleEventHookExecutionStatus'],
          resources: [deploymentGroupsArn],
        }),
      ],
    });
    Validations.of(this).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${formatForFinding(this, deploymentGroupsArn)}]`,
      reason:
        'The pattern matches all deployment groups of the application. A reference to each group would be circular, because each group refers to this function.',
    });
    new EventSourceMapping(this, 'Mapping', {
      target: this.hook.live,
      eventSourceArn: queue.queueArn,
      batchSize: 1,
    });
  }
}
