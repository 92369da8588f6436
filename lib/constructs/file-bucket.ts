import { Duration, Validations } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  CfnBucket,
  type CorsRule,
  HttpMethods,
  type IBucket,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { FileCall } from '../../shared/contract/operation.ts';
import { filePrefix, thumbnailPrefix } from '../../shared/table/keys/names.ts';
import type { Stage } from '../stages.ts';
import { formatForFinding } from './format-for-finding.ts';
import { removalPolicy } from './removal-policy.ts';
import { getStageKey } from './stage-key.ts';

/**
 * Days after which S3 removes a file that belongs to no message, unless the purge worker has
 * already removed the file.
 */
const pendingDays = 1;

/**
 * Bucket of uploaded attachments. Users upload and download through presigned URLs. The bucket
 * policy denies writes that could replace an object.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
 */
export class FileBucket extends Bucket {
  /** Environment variables of functions that use files. */
  readonly environment: Record<string, string>;

  constructor(scope: Construct, id: string, stage: Stage) {
    const key = getStageKey(scope);
    super(scope, id, {
      ...(key
        ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
        : { encryption: BucketEncryption.S3_MANAGED }),
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      cors: toCorsRules(stage),
      lifecycleRules: [
        {
          id: 'unsent',
          tagFilters: { state: 'pending' },
          expiration: Duration.days(pendingDays),
        },
        { id: 'incomplete', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      removalPolicy: removalPolicy(stage),
      ...(stage.keepsData && {
        serverAccessLogsBucket: createAccessLogBucket(scope, `${id}Logs`, stage),
      }),
    });
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'NoReplacedFiles',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:PutObject'],
        resources: prefixes.map((prefix) => this.arnForObjects(`${prefix}*`)),
        conditions: { Null: { 's3:if-none-match': 'true' } },
      }),
    );
    publishEvents(this);
    this.environment = { FILES_URL: `https://${this.bucketRegionalDomainName}` };
    acknowledgeFindings(this, stage, key !== undefined);
  }

  /**
   * Acknowledges the cdk-nag findings about wildcards in the role of a function that makes the
   * given calls.
   */
  acknowledgeKeys(functionId: string, { thumbnailCalls = [], fileCalls = [] }: BucketCalls): void {
    const granted = [
      ...(fileCalls.length > 0 ? [filePrefix] : []),
      ...(thumbnailCalls.length > 0 ? [thumbnailPrefix] : []),
    ];
    Validations.of(this.stack.node.findChild(`${functionId}Role`)).acknowledge(
      ...granted.map((prefix) => ({
        id: `AwsSolutions-IAM5[Resource::${formatForFinding(this, this.arnForObjects(`${prefix}*`))}]`,
        reason: 'Keys contain the ids of conversations and files, which are not known in advance.',
      })),
    );
  }

  createStatements({ fileCalls = [], thumbnailCalls = [] }: BucketCalls): PolicyStatement[] {
    const grant = (granted: readonly FileCall[], resource: string) =>
      granted.length === 0
        ? []
        : new PolicyStatement({
            actions: granted.map((call) => `s3:${call}`),
            resources: [resource],
          });
    const isObjectCall = (call: FileCall) => call !== 'ListBucket';
    return [
      grant(fileCalls.filter(isObjectCall), this.arnForObjects(`${filePrefix}*`)),
      grant(thumbnailCalls, this.arnForObjects(`${thumbnailPrefix}*`)),
      grant(
        fileCalls.filter((call) => !isObjectCall(call)),
        this.bucketArn,
      ),
    ].flat();
  }
}

/**
 * S3 calls that a function may make. `fileCalls` apply to files and to the bucket. `thumbnailCalls`
 * apply to thumbnails.
 */
export interface BucketCalls {
  fileCalls?: readonly FileCall[] | undefined;
  thumbnailCalls?: readonly FileCall[] | undefined;
}

const prefixes = [filePrefix, thumbnailPrefix];

/**
 * Publishes the bucket's events on the account's default event bus. GuardDuty also enables these
 * events, but a later update of the bucket would disable them (github.com/cds-snc/forms-terraform
 * #1089). CDK's `eventBridgeEnabled` would add a function that calls S3.
 */
function publishEvents(bucket: Bucket): void {
  const { defaultChild } = bucket.node;
  if (!(defaultChild instanceof CfnBucket)) throw new Error('The bucket has no CfnBucket child.');
  defaultChild.notificationConfiguration = {
    eventBridgeConfiguration: { eventBridgeEnabled: true },
  };
}

/**
 * Allows uploads from the stage's allowed origins. Allows downloads from any origin, because
 * browsers send the origin `null` after the API's redirect.
 */
const toCorsRules = ({ allowedOrigins }: Stage): CorsRule[] => [
  {
    allowedOrigins: [...allowedOrigins],
    allowedMethods: [HttpMethods.PUT],
    allowedHeaders: ['content-type', 'if-none-match', 'x-amz-checksum-sha256', 'x-amz-tagging'],
    maxAge: 3600,
  },
  { allowedOrigins: ['*'], allowedMethods: [HttpMethods.GET], allowedHeaders: [] },
];

function createAccessLogBucket(scope: Construct, id: string, stage: Stage): IBucket {
  const bucket = new Bucket(scope, id, {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    lifecycleRules: [{ id: 'expire', expiration: Duration.days(stage.logRetentionDays) }],
    removalPolicy: removalPolicy(stage),
  });
  Validations.of(bucket).acknowledge(
    { id: 'CT.S3.PR.2', reason: 'This bucket is the access log itself.' },
    { id: 'CT.S3.PR.4', reason: 'No function reads new log files.' },
    { id: 'CT.S3.PR.9', reason: 'The lifecycle rule removes old log files.' },
    { id: 'CT.S3.PR.10', reason: 'S3 delivers access logs only to buckets that use SSE-S3.' },
    { id: 'CT.S3.PR.11', reason: 'S3 never replaces a log file.' },
  );
  // CDK's classes do not match their own interfaces under exactOptionalPropertyTypes.
  return bucket as IBucket;
}

function acknowledgeFindings(bucket: FileBucket, stage: Stage, hasKey: boolean): void {
  const noLogReason = 'Logs arrive hours late, so a log bucket cannot be deleted with the stage.';
  Validations.of(bucket).acknowledge(
    { id: 'CT.S3.PR.9', reason: 'The file of a deleted message must be removable.' },
    { id: 'CT.S3.PR.11', reason: 'No file is replaced. Versions would retain deleted files.' },
    ...(hasKey ? [] : [{ id: 'CT.S3.PR.10', reason: 'The stage has no customer-managed key.' }]),
    ...(stage.keepsData
      ? []
      : [
          { id: 'AwsSolutions-S1', reason: noLogReason },
          { id: 'CT.S3.PR.2', reason: noLogReason },
        ]),
  );
}
