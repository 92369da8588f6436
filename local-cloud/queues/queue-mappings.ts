import * as v from 'valibot';
import { Problem, toErrorMessage } from '../../lib/problem.ts';
import { parseFunctionName, region } from '../account.ts';
import type { FunctionDefinition } from '../functions/function-definition.ts';
import type { Outcome } from '../functions/thread-protocol.ts';
import type { Decide } from '../stack/iam-roles.ts';
import type { Stack } from '../stack/read-stack.ts';
import { readsQueue } from '../streams/event-source-mapping.ts';
import type { Queues, ReceivedMessage } from './queues.ts';

const MappingProperties = v.strictObject({
  BatchSize: v.optional(v.number(), 10),
  Enabled: v.optional(v.boolean(), true),
  EventSourceArn: v.pipe(v.string(), v.includes(':sqs:')),
  FunctionName: v.string(),
  FunctionResponseTypes: v.optional(v.array(v.literal('ReportBatchItemFailures')), []),
  ScalingConfig: v.optional(v.strictObject({ MaximumConcurrency: v.number() }), {
    MaximumConcurrency: 5,
  }),
  Tags: v.optional(v.unknown()),
});

export interface QueueMapping {
  queueArn: string;
  target: FunctionDefinition;
  batchSize: number;
  maxConcurrency: number;
  reportsItemFailures: boolean;
}

const queueActions = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

/**
 * Returns the enabled queue mappings. Throws a Problem if a function's role lacks permission to
 * read its queue.
 */
export function getQueueMappings(
  stack: Stack,
  functions: readonly FunctionDefinition[],
  roles: ReadonlyMap<string, Decide>,
): QueueMapping[] {
  return stack
    .resources('AWS::Lambda::EventSourceMapping', MappingProperties, readsQueue)
    .filter(({ properties }) => properties.Enabled)
    .map(({ id, properties }): QueueMapping => {
      const { EventSourceArn: queueArn, FunctionName } = properties;
      const target = functions.find(({ name }) => name === parseFunctionName(FunctionName));
      if (!target) throw new Problem(`${id}: its function is not in the template`);
      for (const action of queueActions) {
        if (roles.get(target.roleArn)?.(`sqs:${action}`, queueArn) !== 'allow') {
          throw new Problem(
            `${id}: the role of ${target.id} does not allow sqs:${action} on ${queueArn}`,
          );
        }
      }
      return {
        queueArn,
        target,
        batchSize: properties.BatchSize,
        maxConcurrency: properties.ScalingConfig.MaximumConcurrency,
        reportsItemFailures: properties.FunctionResponseTypes.length > 0,
      };
    });
}

const pollMilliseconds = 50;
/**
 * Maximum concurrency of a mapping. The number is low because a function has few local
 * environments.
 */
const maxLocalConcurrency = 2;

const BatchReply = v.nullish(
  v.object({
    batchItemFailures: v.optional(v.array(v.object({ itemIdentifier: v.string() })), []),
  }),
);

export interface QueuePollerOptions {
  queues: Queues;
  mappings: readonly QueueMapping[];
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
  log(line: string): void;
}

/** Passes messages to functions in batches until `stop` is called. Failed messages stay queued. */
export function startQueuePollers(options: QueuePollerOptions): { stop(): void } {
  const timers = options.mappings.map((mapping) => {
    let running = 0;
    return setInterval(() => {
      while (running < Math.min(mapping.maxConcurrency, maxLocalConcurrency)) {
        const batch = options.queues.receive(mapping.queueArn, mapping.batchSize);
        if (batch.length === 0) return;
        running += 1;
        serveBatch(options, mapping, batch)
          .catch((error) => options.log(toErrorMessage(error)))
          .finally(() => {
            running -= 1;
          });
      }
    }, pollMilliseconds);
  });
  return {
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

async function serveBatch(
  { queues, invoke }: QueuePollerOptions,
  { queueArn, target, reportsItemFailures }: QueueMapping,
  batch: readonly ReceivedMessage[],
): Promise<void> {
  const Records = batch.map(({ id, body, receipt, receiveCount }) => ({
    messageId: id,
    receiptHandle: receipt,
    body: JSON.stringify(body),
    attributes: { ApproximateReceiveCount: String(receiveCount) },
    messageAttributes: {},
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  }));
  const outcome = await invoke(target.arn, { Records });
  if (!outcome.ok) return;
  const reply = v.parse(BatchReply, JSON.parse(outcome.reply));
  const failed = reportsItemFailures ? (reply?.batchItemFailures ?? []) : [];
  for (const { id, receipt } of batch) {
    if (failed.some(({ itemIdentifier }) => itemIdentifier === id)) continue;
    queues.remove(queueArn, receipt);
  }
}
