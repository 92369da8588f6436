import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { asShown } from './as-shown.ts';
import { MessagingFunction } from './messaging-function.ts';

export interface ProvingTimeProps {
  stage: Stage;
  bundles: string;
  /** How long new code serves all calls before it counts as good; fifteen minutes at most, as a queue delays no longer. */
  lasts: Duration;
  /** ARN of the deployment groups whose deployments it may answer. */
  deploymentsOf: string;
}

/** CodeDeploy ends a deployment with the last shift of calls; this hook keeps it open for a while, and so its alarms. */
export class ProvingTime extends Construct {
  readonly hook: MessagingFunction;

  constructor(scope: Construct, id: string, props: ProvingTimeProps) {
    super(scope, id);
    const { stage, bundles, lasts, deploymentsOf } = props;
    const queue = new Queue(this, 'Queue', {
      retentionPeriod: Duration.hours(1),
      visibilityTimeout: Duration.minutes(1),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    const isShort =
      'CodeDeploy waits for an hour, and then takes the deployment back: an answer that cannot be given is of no use later.';
    Validations.of(queue).acknowledge(
      { id: 'AwsSolutions-SQS3', reason: isShort },
      { id: 'CT.SQS.PR.1', reason: isShort },
    );
    this.hook = new MessagingFunction(this, 'Hook', {
      stage,
      path: 'proving',
      bundles,
      description: 'Keeps a deployment open while new code proves itself',
      memoryMegabytes: 256,
      environment: { QUEUE_URL: queue.queueUrl, PROVING_SECONDS: String(lasts.toSeconds()) },
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
          resources: [deploymentsOf],
        }),
      ],
    });
    Validations.of(this).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${asShown(this, deploymentsOf)}]`,
      reason:
        'These are all deployment groups of the application. To name each would be a circle, as each names this function.',
    });
    new EventSourceMapping(this, 'Mapping', {
      target: this.hook.live,
      eventSourceArn: queue.queueArn,
      batchSize: 1,
    });
  }
}
