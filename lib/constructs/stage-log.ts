import { Validations } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { removalPolicy } from './removal-policy.ts';

/** A log that is kept for as long as the stage says, and outlives the stack where its data does. */
export class StageLog extends LogGroup {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, { retention: stage.logRetentionDays, removalPolicy: removalPolicy(stage) });
    Validations.of(this).acknowledge(
      {
        id: 'CT.CLOUDWATCH.PR.2',
        reason:
          'The access log has addresses of people’s devices: a year is too long. How long is right is said in lib/stages.ts.',
      },
      {
        id: 'CT.CLOUDWATCH.PR.3',
        reason:
          'CloudWatch encrypts logs in any case. A key of our own would cost by the month and by the line, to hide what has nothing of what people write.',
      },
    );
  }
}
