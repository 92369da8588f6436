import { type Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { getStageKey } from './stage-key.ts';

export interface StageQueueProps extends Pick<QueueProps, 'visibilityTimeout'> {
  retentionPeriod: Duration;
  /** Reason why the queue has no dead-letter queue. */
  noDeadLettersReason: string;
  /**
   * Whether the queue is a function's dead-letter queue. If so, cdk-nag does not require a
   * dead-letter queue for it.
   */
  isOfFunction?: boolean;
}

/** Queue that requires TLS and is encrypted with the stage's key or a key that SQS manages. */
export class StageQueue extends Queue {
  constructor(scope: Construct, id: string, props: StageQueueProps) {
    const { noDeadLettersReason: reason, isOfFunction, ...others } = props;
    const key = getStageKey(scope);
    super(scope, id, {
      ...others,
      ...(key
        ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
        : { encryption: QueueEncryption.SQS_MANAGED }),
      enforceSSL: true,
    });
    Validations.of(this).acknowledge({ id: 'CT.SQS.PR.1', reason });
    if (!isOfFunction) Validations.of(this).acknowledge({ id: 'AwsSolutions-SQS3', reason });
  }
}
