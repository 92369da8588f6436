/** Consumers of the stage's event bus, for your own stack: see docs/events.md. */
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { FirehoseDeliveryStream, LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { DeliveryStream, type IDataProcessor, S3Bucket } from 'aws-cdk-lib/aws-kinesisfirehose';
import { Code, Runtime, Function as ServerlessFunction } from 'aws-cdk-lib/aws-lambda';
import { BlockPublicAccess, Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** Sends all events to a queue with a retention period of two weeks. */
export function addQueue(scope: Construct, eventBus: IEventBus): Queue {
  const queue = new Queue(scope, 'Events', {
    retentionPeriod: Duration.days(14),
    enforceSSL: true,
  });
  new Rule(scope, 'ToQueue', {
    eventBus,
    eventPattern: { source: ['messaging-service'] },
    targets: [new SqsQueue(queue)],
  });
  return queue;
}

/** Invokes a function for each new message. The function sends mobile pushes through FCM. */
export function addMobilePush(scope: Construct, eventBus: IEventBus): ServerlessFunction {
  const handler = new ServerlessFunction(scope, 'MobilePush', {
    runtime: Runtime.NODEJS_24_X,
    code: Code.fromAsset(join(import.meta.dirname, 'mobile-push')),
    handler: 'index.handler',
    timeout: Duration.seconds(30),
    environment: {
      // The service account's key as JSON. Keep it in Secrets Manager or Parameter Store.
      SERVICE_ACCOUNT: process.env.SERVICE_ACCOUNT ?? '',
      DEVICES_URL: 'https://app.example.com/devices',
      FCM_URL: 'https://fcm.googleapis.com',
    },
  });
  new Rule(scope, 'ToMobilePush', {
    eventBus,
    eventPattern: { source: ['messaging-service'], detailType: ['message.created'] },
    targets: [new LambdaFunction(handler)],
  });
  return handler;
}

/** Firehose writes records without line breaks unless a processor appends them. */
const appendLineBreak: IDataProcessor = {
  props: {},
  bind: () => ({
    processorType: 'AppendDelimiterToRecord',
    processorIdentifier: { parameterName: 'Delimiter', parameterValue: '\\n' },
  }),
};

/** Copies all events to a bucket, one JSON object per line. S3 deletes the copies after a year. */
export function addCopy(scope: Construct, eventBus: IEventBus): Bucket {
  const bucket = new Bucket(scope, 'Copy', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    lifecycleRules: [{ expiration: Duration.days(365) }],
  });
  const stream = new DeliveryStream(scope, 'CopyStream', {
    destination: new S3Bucket(bucket as IBucket, { processors: [appendLineBreak] }),
  });
  new Rule(scope, 'ToCopy', {
    eventBus,
    eventPattern: { source: ['messaging-service'] },
    targets: [new FirehoseDeliveryStream(stream)],
  });
  return bucket;
}
