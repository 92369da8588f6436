import { Validations } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { removalPolicy } from './removal-policy.ts';

/** Log group with the stage's retention, which outlives the stack if the stage keeps its data. */
export class StageLog extends LogGroup {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, { retention: stage.logRetentionDays, removalPolicy: removalPolicy(stage) });
    Validations.of(this).acknowledge(
      {
        id: 'CT.CLOUDWATCH.PR.2',
        reason:
          'The access log contains client addresses, so a year is too long. lib/stages.ts sets the retention.',
      },
      {
        id: 'CT.CLOUDWATCH.PR.3',
        reason:
          'CloudWatch encrypts logs anyway. An own key would cost per month and per line, and logs contain no message text.',
      },
    );
  }
}
