import { Duration } from 'aws-cdk-lib';
import { type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { FileCall } from '../../../shared/contract/operation.ts';
import { functionLimits } from '../../../shared/function-limits.ts';
import { filePrefix } from '../../../shared/table/keys/names.ts';
import { failureQueueDays } from '../../lifetimes.ts';
import { getReservedConcurrency } from '../../reserved-concurrency.ts';
import { type Stage, scansFiles } from '../../stages.ts';
import type { BucketCalls, FileBucket } from '../file-bucket.ts';
import { IsolatedNetwork } from '../isolated-network.ts';
import { MessagingFunction } from '../messaging-function.ts';
import { StageQueue } from '../stage-queue.ts';

const bucketCalls = {
  fileCalls: ['GetObject', 'GetObjectTagging', 'ListBucket'],
  thumbnailCalls: ['DeleteObject', 'DeleteObjectTagging', 'PutObject', 'PutObjectTagging'],
} as const satisfies BucketCalls;

const allCalls: readonly FileCall[] = [...bucketCalls.fileCalls, ...bucketCalls.thumbnailCalls];

/**
 * Thumbnail worker: resizes uploaded images, by default in a network that reaches only the bucket.
 * Events that still fail after the retries go to the worker's queue, which has an alarm.
 */
export class ThumbnailWorker extends MessagingFunction {
  readonly failures: Queue;

  constructor(
    scope: Construct,
    { stage, bundles, files }: { stage: Stage; bundles: string; files: FileBucket },
  ) {
    const failures = new StageQueue(scope, 'ThumbnailFailures', {
      retentionPeriod: Duration.days(failureQueueDays),
      noDeadLettersReason: 'No function consumes this queue of failed events.',
      isOfFunction: true,
    });
    const { isolatesThumbnails = true } = stage.attachments || {};
    super(scope, 'Thumbnails', {
      stage,
      path: 'thumbnails',
      bundles,
      description: 'Makes thumbnails of uploaded images',
      ...functionLimits.thumbnails,
      environment: files.environment,
      statements: [
        ...files.createStatements(bucketCalls),
        // Lambda uses the worker's role to send to the queue.
        new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [failures.queueArn] }),
      ],
      failures,
      network: isolatesThumbnails
        ? new IsolatedNetwork(scope, 'ThumbnailNetwork', files, allCalls)
        : undefined,
      reservedConcurrency: getReservedConcurrency(stage).thumbnails,
    });
    this.failures = failures;
    files.acknowledgeKeys('Thumbnails', bucketCalls);
    new Rule(scope, 'ThumbnailFiles', {
      description: 'Uploaded files that may need a thumbnail',
      eventPattern: toEventPattern(stage, files),
      targets: [new FunctionTarget(this.live, { deadLetterQueue: failures })],
    });
  }
}

/**
 * Returns a pattern for files that may get thumbnails: clean files or, without scans, all files.
 */
const toEventPattern = (stage: Stage, { bucketName }: FileBucket): EventPattern =>
  scansFiles(stage)
    ? {
        source: ['aws.guardduty'],
        detailType: ['GuardDuty Malware Protection Object Scan Result'],
        detail: {
          s3ObjectDetails: { bucketName: [bucketName] },
          scanResultDetails: { scanResultStatus: ['NO_THREATS_FOUND'] },
        },
      }
    : {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [bucketName] }, object: { key: [{ prefix: filePrefix }] } },
      };
