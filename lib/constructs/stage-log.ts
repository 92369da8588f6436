import { Validations } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { removalPolicy } from './removal-policy.ts';
import { getStageKey } from './stage-key.ts';

/**
 * Log group with the stage's retention. The log group outlives the stack if the stage retains its
 * data.
 */
export class StageLog extends LogGroup {
  constructor(scope: Construct, id: string, stage: Stage) {
    const encryptionKey = getStageKey(scope);
    super(scope, id, {
      retention: stage.logRetentionDays,
      removalPolicy: removalPolicy(stage),
      ...(encryptionKey && { encryptionKey }),
    });
    Validations.of(this).acknowledge({
      id: 'CT.CLOUDWATCH.PR.2',
      reason:
        'The access log contains client addresses, so a retention of one year is too long. lib/stages.ts sets the retention.',
    });
    if (encryptionKey) return;
    Validations.of(this).acknowledge({
      id: 'CT.CLOUDWATCH.PR.3',
      reason:
        'CloudWatch encrypts logs by default, and logs contain no message text. lib/stages.ts has a setting for a customer-managed key.',
    });
  }
}
