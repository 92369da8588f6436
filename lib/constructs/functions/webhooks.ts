import { Aws, type CfnOutputProps, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { TableCalls } from '../../../shared/contract/operation.ts';
import { functionLimits } from '../../../shared/function-limits.ts';
import { failureQueueDays } from '../../lifetimes.ts';
import { formatForFinding } from '../format-for-finding.ts';
import type { MessagingBus } from '../messaging-bus.ts';
import { MessagingFunction } from '../messaging-function.ts';
import { StageQueue } from '../stage-queue.ts';
import type { WorkerProps } from './stream-worker.ts';
import { createTableStatements } from './table-statements.ts';

/** Maximum concurrent invocations per lane, each with up to ten queue messages. */
const maxConcurrency = 20;

export interface WebhooksProps extends WorkerProps {
  bus: MessagingBus;
}

/** Creates the webhook sender if the stage has webhooks and a bus. */
export const createWebhooks = (
  scope: Construct,
  { bus, ...props }: WorkerProps & { bus: MessagingBus | undefined },
): Webhooks | undefined =>
  bus && props.stage.webhooks ? new Webhooks(scope, { ...props, bus }) : undefined;

/**
 * Webhook sender. A rule sends each event on the bus to a queue. The sender creates a delivery for
 * each matching endpoint, and attempts the deliveries. Failing and slow endpoints have a separate
 * queue. A dead-letter queue receives undelivered events, without their content.
 */
export class Webhooks extends MessagingFunction {
  readonly deadLetters: Queue;
  readonly outputs: Record<string, CfnOutputProps>;

  constructor(scope: Construct, { stage, table, bundles, bus }: WebhooksProps) {
    const queue = createLane(scope, 'WebhookEvents');
    const slowQueue = createLane(scope, 'WebhookSlowEvents');
    const lanes = [queue, slowQueue];
    const deadLetters = new StageQueue(scope, 'WebhookDeadLetters', {
      retentionPeriod: Duration.days(failureQueueDays),
      noDeadLettersReason: 'This is itself a dead-letter queue, and no function consumes it.',
    });
    const { partition, region, account, stackName } = Stack.of(scope);
    const secretsPrefix = `/${stackName}/webhooks/`;
    const secretsArn = `arn:${partition}:ssm:${region}:${account}:parameter${secretsPrefix}*`;
    super(scope, 'WebhookSender', {
      stage,
      path: 'webhooks',
      bundles,
      description: 'Sends events to webhook endpoints',
      ...functionLimits.webhooks,
      environment: {
        TABLE_NAME: table.tableName,
        SQS_URL: `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/`,
        SSM_URL: `https://ssm.${Aws.REGION}.${Aws.URL_SUFFIX}/`,
        WEBHOOK_QUEUE_URL: queue.queueUrl,
        WEBHOOK_SLOW_QUEUE_URL: slowQueue.queueUrl,
        WEBHOOK_DEAD_LETTERS_URL: deadLetters.queueUrl,
        WEBHOOK_SECRETS: secretsPrefix,
        WEBHOOK_REACH: 'public',
      },
      statements: [
        ...createTableStatements(tableCalls, table.tableArn),
        ...createQueueStatements(lanes, deadLetters),
        // Parameter Store encrypts the secrets with its AWS managed key, whose policy admits the
        // function.
        new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [secretsArn] }),
      ],
    });
    Validations.of(scope.node.findChild('WebhookSenderRole')).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${formatForFinding(scope, secretsArn)}]`,
      reason:
        'Operators add endpoints without a deployment. The prefix contains only endpoint secrets.',
    });
    this.deadLetters = deadLetters;
    this.outputs = {
      WebhookQueueUrl: { value: queue.queueUrl },
      WebhookDeadLettersUrl: { value: deadLetters.queueUrl },
      WebhookSecrets: { value: secretsPrefix },
    };
    for (const lane of lanes) this.consume(lane);
    new Rule(scope, 'WebhookRule', {
      description: 'Events for webhook endpoints',
      eventBus: bus,
      eventPattern: { source: ['messaging-service'] },
      targets: [new SqsQueue(queue, { deadLetterQueue: deadLetters })],
    });
  }

  private consume(lane: Queue): void {
    new EventSourceMapping(Stack.of(this), `${lane.node.id}Mapping`, {
      target: this.live,
      eventSourceArn: lane.queueArn,
      batchSize: 10,
      maxConcurrency,
      reportBatchItemFailures: true,
    });
  }
}

const tableCalls: TableCalls = {
  webhookEndpoints: ['Query', 'UpdateItem'],
  conversations: ['BatchGetItem'],
  contacts: ['BatchGetItem'],
  businesses: ['GetItem'],
};

const createLane = (scope: Construct, id: string) =>
  new StageQueue(scope, id, {
    retentionPeriod: Duration.days(failureQueueDays),
    // AWS recommends six times the function's timeout.
    visibilityTimeout: Duration.seconds(6 * functionLimits.webhooks.timeoutSeconds),
    noDeadLettersReason: 'The sender itself puts abandoned events into the dead-letter queue.',
  });

const createQueueStatements = (lanes: readonly Queue[], deadLetters: Queue) => [
  new PolicyStatement({
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    resources: lanes.map(({ queueArn }) => queueArn),
  }),
  new PolicyStatement({
    actions: ['sqs:SendMessage'],
    resources: [...lanes, deadLetters].map(({ queueArn }) => queueArn),
  }),
];
