import { type Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { getStageKey } from './stage-key.ts';

export interface StageQueueProps extends Pick<QueueProps, 'visibilityTimeout'> {
  retentionPeriod: Duration;
  /** Why the queue has no dead-letter queue. */
  noDeadLetters: string;
}

/** Queue that is encrypted with the stage's key or SQS's own, and requires TLS. */
export class StageQueue extends Queue {
  constructor(scope: Construct, id: string, { noDeadLetters: reason, ...props }: StageQueueProps) {
    const key = getStageKey(scope);
    super(scope, id, {
      ...props,
      ...(key
        ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
        : { encryption: QueueEncryption.SQS_MANAGED }),
      enforceSSL: true,
    });
    Validations.of(this).acknowledge(
      { id: 'AwsSolutions-SQS3', reason },
      { id: 'CT.SQS.PR.1', reason },
    );
  }
}
