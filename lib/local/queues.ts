import * as v from 'valibot';
import { Problem } from './problem.ts';
import type { Stack } from './stack.ts';

const QueueProperties = v.strictObject({
  KmsMasterKeyId: v.optional(v.unknown()),
  MessageRetentionPeriod: v.optional(v.number()),
  QueueName: v.optional(v.string()),
  SqsManagedSseEnabled: v.optional(v.boolean()),
  Tags: v.optional(v.unknown()),
  VisibilityTimeout: v.optional(v.number()),
});

export interface Queues {
  /** The messages by the queue's logical id, oldest first. */
  messages: ReadonlyMap<string, readonly unknown[]>;
  send(queueArn: string, message: unknown): void;
}

/** The stack's queues: they take messages and keep them in memory, for somebody to look at. */
export function queuesOf(stack: Stack): Queues {
  const queues = stack
    .resources('AWS::SQS::Queue', QueueProperties)
    .map(({ id, attributes }) => ({ id, arn: attributes.Arn, messages: [] as unknown[] }));
  return {
    messages: new Map(queues.map(({ id, messages }) => [id, messages])),
    send: (queueArn, message) => {
      const queue = queues.find(({ arn }) => arn === queueArn);
      if (!queue) throw new Problem(`There is no queue ${queueArn} in the template.`);
      queue.messages.push(message);
    },
  };
}
