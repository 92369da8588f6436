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

/** A received message stays hidden until it is deleted or its visibility timeout ends. */
export interface ReceivedMessage {
  id: string;
  body: unknown;
  receipt: string;
  receiveCount: number;
}

export interface SendOptions {
  delaySeconds?: number;
  /** Message group. `receive` prefers the groups with the fewest messages in flight. */
  group?: string | undefined;
}

export interface Queues {
  /** Messages by the queue's logical id, oldest first. */
  messages: ReadonlyMap<string, readonly unknown[]>;
  /** Returns the ARN of the queue with this URL or ARN. */
  toArn(queue: string): string;
  /** Adds a message. Like the functions below, accepts the queue's ARN or URL. */
  send(queue: string, message: unknown, options?: SendOptions): void;
  /** Returns messages and hides them for `hiddenSeconds` (default: the visibility timeout). */
  receive(queue: string, maxMessages: number, hiddenSeconds?: number): ReceivedMessage[];
  /** Hides a received message for `seconds` from now. */
  hide(queue: string, receipt: string, seconds: number): void;
  remove(queue: string, receipt: string): void;
}

/** State of the message at the same index in the list of bodies. */
interface MessageState {
  id: string;
  group: string;
  hiddenUntil: number;
  receipt: string | undefined;
  receiveCount: number;
}

/** Creates the stack's queues, which keep messages in memory until a consumer deletes them. */
export function createQueues(stack: Stack): Queues {
  const queues = stack
    .resources('AWS::SQS::Queue', QueueProperties)
    .map(({ id, ref, attributes, properties }) => ({
      id,
      arn: attributes.Arn ?? ref,
      names: [ref, attributes.Arn],
      queue: createQueue(properties.VisibilityTimeout),
    }));
  const find = (name: string) => {
    const found = queues.find(({ names }) => names.includes(name));
    if (found) return found;
    throw new Problem(`The template has no queue ${name}.`);
  };
  return {
    messages: new Map(queues.map(({ id, queue }) => [id, queue.bodies])),
    toArn: (name) => find(name).arn,
    send: (name, message, options) => find(name).queue.send(message, options),
    receive: (name, maxMessages, hiddenSeconds) =>
      find(name).queue.receive(maxMessages, hiddenSeconds),
    hide: (name, receipt, seconds) => find(name).queue.hide(receipt, seconds),
    remove: (name, receipt) => find(name).queue.remove(receipt),
  };
}

function createQueue(visibilitySeconds: number) {
  const bodies: unknown[] = [];
  const states: MessageState[] = [];
  return {
    bodies,
    send: (body: unknown, { delaySeconds = 0, group }: SendOptions = {}) => {
      bodies.push(body);
      const hiddenUntil = delaySeconds > 0 ? Date.now() + delaySeconds * 1000 : 0;
      const id = randomUUID();
      // As in SQS, a message without a group forms its own group.
      states.push({ id, group: group ?? id, hiddenUntil, receipt: undefined, receiveCount: 0 });
    },
    receive: (maxMessages: number, hiddenSeconds = visibilitySeconds): ReceivedMessage[] => {
      const now = Date.now();
      return pickFairly(states, maxMessages, now).map((state) => {
        const receipt = randomUUID();
        const receiveCount = state.receiveCount + 1;
        Object.assign(state, { receipt, receiveCount, hiddenUntil: now + hiddenSeconds * 1000 });
        return { id: state.id, body: bodies[states.indexOf(state)], receipt, receiveCount };
      });
    },
    hide: (receipt: string, seconds: number) => {
      const state = states.find((one) => one.receipt === receipt);
      if (state) state.hiddenUntil = Date.now() + seconds * 1000;
    },
    remove: (receipt: string) => {
      const index = states.findIndex((state) => state.receipt === receipt);
      if (index < 0) return;
      bodies.splice(index, 1);
      states.splice(index, 1);
    },
  };
}

/** Picks visible messages, each from the group with the fewest messages in flight. */
function pickFairly(states: readonly MessageState[], count: number, now: number): MessageState[] {
  const inFlight = new Map<string, number>();
  const countIn = (group: string) => inFlight.get(group) ?? 0;
  const add = ({ group }: MessageState) => inFlight.set(group, countIn(group) + 1);
  for (const state of states) if (state.hiddenUntil > now && state.receipt) add(state);
  const visible = states.filter(({ hiddenUntil }) => hiddenUntil <= now);
  const picked: MessageState[] = [];
  while (picked.length < count && visible.length > 0) {
    const fewest = Math.min(...visible.map(({ group }) => countIn(group)));
    const [next] = visible.splice(
      visible.findIndex(({ group }) => countIn(group) === fewest),
      1,
    );
    if (!next) break;
    add(next);
    picked.push(next);
  }
  return picked;
}
