import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import type { Stack } from '../stack/read-stack.ts';

const QueueProperties = v.strictObject({
  KmsMasterKeyId: v.optional(v.unknown()),
  MessageRetentionPeriod: v.optional(v.number()),
  QueueName: v.optional(v.string()),
  SqsManagedSseEnabled: v.optional(v.boolean()),
  Tags: v.optional(v.unknown()),
  VisibilityTimeout: v.optional(v.number(), 30),
});

/**
 * A received message, hidden from other consumers until it is deleted or its visibility timeout
 * ends.
 */
export interface ReceivedMessage {
  body: unknown;
  receipt: string;
}

export interface Queues {
  /** Messages by the queue's logical id, oldest first. */
  messages: ReadonlyMap<string, readonly unknown[]>;
  /** A queue is named by its ARN or URL. */
  send(queue: string, message: unknown): void;
  /** Receives up to this many visible messages. */
  receive(queue: string, maxMessages: number): ReceivedMessage[];
  remove(queue: string, receipt: string): void;
}

/** Creates the stack's queues, with messages in memory until a consumer deletes them. */
export function createQueues(stack: Stack): Queues {
  const queues = stack
    .resources('AWS::SQS::Queue', QueueProperties)
    .map(({ id, ref, attributes, properties }) => ({
      id,
      names: [ref, attributes.Arn],
      hiddenMilliseconds: properties.VisibilityTimeout * 1000,
      messages: [] as unknown[],
      receipts: new Map<string, unknown>(),
      hiddenUntil: new Map<unknown, number>(),
    }));
  const findQueue = (name: string) => {
    const queue = queues.find(({ names }) => names.includes(name));
    if (queue) return queue;
    throw new Problem(`The template has no queue ${name}.`);
  };
  return {
    messages: new Map(queues.map(({ id, messages }) => [id, messages])),
    send: (name, message) => findQueue(name).messages.push(message),
    receive: (name, maxMessages) => {
      const { messages, receipts, hiddenUntil, hiddenMilliseconds } = findQueue(name);
      const now = Date.now();
      const visible = messages.filter((message) => (hiddenUntil.get(message) ?? 0) <= now);
      return visible.slice(0, maxMessages).map((body) => {
        const receipt = randomUUID();
        receipts.set(receipt, body);
        hiddenUntil.set(body, now + hiddenMilliseconds);
        return { body, receipt };
      });
    },
    remove: (name, receipt) => {
      const { messages, receipts } = findQueue(name);
      const index = messages.indexOf(receipts.get(receipt));
      if (index >= 0) messages.splice(index, 1);
    },
  };
}
