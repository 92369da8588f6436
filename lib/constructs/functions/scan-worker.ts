import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { functionLimits } from '../../../shared/function-limits.ts';
import { failureQueueDays } from '../../lifetimes.ts';
import { scansFiles } from '../../stages.ts';
import type { FileBucket } from '../file-bucket.ts';
import { createMalwareScan } from '../malware-scan.ts';
import { MessagingFunction } from '../messaging-function.ts';
import { StageQueue } from '../stage-queue.ts';
import type { WorkerProps } from './stream-worker.ts';
import { createTableStatements } from './table-statements.ts';

/** Creates the malware scan of uploaded files and its worker, if the stage scans files. */
export function createScanWorker(
  scope: Construct,
  { files, ...props }: WorkerProps & { files: FileBucket | undefined },
): ScanWorker | undefined {
  if (!files || !scansFiles(props.stage)) return undefined;
  createMalwareScan(scope, files);
  return new ScanWorker(scope, { ...props, files });
}

/**
 * Scan worker: records the results of malware scans, which GuardDuty publishes on the account's
 * default event bus. Events that still fail after the retries go to the worker's queue, which has
 * an alarm.
 */
export class ScanWorker extends MessagingFunction {
  readonly failures: Queue;

  constructor(
    scope: Construct,
    { stage, table, bundles, files }: WorkerProps & { files: FileBucket },
  ) {
    const failures = new StageQueue(scope, 'ScanFailures', {
      retentionPeriod: Duration.days(failureQueueDays),
      noDeadLettersReason: 'No function consumes this queue of failed events.',
      isOfFunction: true,
    });
    super(scope, 'Scan', {
      stage,
      path: 'scan',
      bundles,
      description: 'Records the results of malware scans',
      ...functionLimits.scan,
      environment: { TABLE_NAME: table.tableName },
      statements: [
        ...createTableStatements({ conversations: ['GetItem', 'UpdateItem'] }, table.tableArn),
        // Lambda uses the worker's role to send to the queue.
        new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [failures.queueArn] }),
      ],
      failures,
    });
    this.failures = failures;
    new Rule(scope, 'ScanResults', {
      description: 'Malware scans of uploaded files',
      eventPattern: {
        source: ['aws.guardduty'],
        detailType: ['GuardDuty Malware Protection Object Scan Result'],
        detail: { s3ObjectDetails: { bucketName: [files.bucketName] } },
      },
      targets: [new FunctionTarget(this.live, { deadLetterQueue: failures })],
    });
  }
}
