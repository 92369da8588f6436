import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import type { Queues } from '../queues/queues.ts';
import { createPermissionCheck } from '../stack/lambda-permissions.ts';
import { createQueuePermissionCheck } from '../stack/queue-permissions.ts';
import type { Stack } from '../stack/read-stack.ts';
import { type EventPattern, parseEventPattern } from '../streams/event-pattern.ts';
import { createDeliveryStreams } from './delivery-streams.ts';

const service = 'events.amazonaws.com';

const BusProperties = v.strictObject({
  Name: v.string(),
  Description: v.optional(v.string()),
  Tags: v.optional(v.unknown()),
});

const RuleProperties = v.strictObject({
  Name: v.optional(v.string()),
  Description: v.optional(v.string()),
  EventBusName: v.optional(v.string()),
  EventPattern: v.optional(v.record(v.string(), v.unknown())),
  ScheduleExpression: v.optional(v.string()),
  State: v.optional(v.picklist(['ENABLED', 'DISABLED']), 'ENABLED'),
  Targets: v.optional(
    v.array(
      v.strictObject({
        Arn: v.string(),
        Id: v.string(),
        RoleArn: v.optional(v.string()),
        Input: v.optional(v.unknown()),
        // Ignores the dead-letter queue and the retry policy, because a delivery on this machine
        // fails only if the target fails.
        DeadLetterConfig: v.optional(v.unknown()),
        RetryPolicy: v.optional(v.unknown()),
      }),
    ),
    [],
  ),
  Tags: v.optional(v.unknown()),
});

/** Delivers an event to a target. Rejects if the target fails. */
type Target = (event: object) => Promise<void>;

export interface EventRules {
  /** Bus ARNs by name. */
  buses: ReadonlyMap<string, string>;
  findTargets(busName: string, event: unknown): Target[];
  /** Stored records of the delivery streams, by bucket ARN. */
  buckets: ReadonlyMap<string, readonly string[]>;
}

export interface EventRulesOptions {
  queues: Queues;
  /** Invokes a function. Retries failures, as Lambda does for asynchronous invocations. */
  invoke(functionArn: string, event: unknown): Promise<void>;
}

/**
 * Reads the event buses and the enabled rules that have an event pattern. Throws a Problem if a
 * target is not a queue, a function or a delivery stream, or if a rule may not send to its queue or
 * invoke its function.
 */
export function readEventRules(stack: Stack, options: EventRulesOptions): EventRules {
  const buses = stack.resources('AWS::Events::EventBus', BusProperties);
  const { streams, buckets } = createDeliveryStreams(stack);
  const toTarget = createTargets(stack, options, streams);
  const rules = stack
    .resources('AWS::Events::Rule', RuleProperties)
    .filter(({ properties }) => properties.EventPattern && properties.State === 'ENABLED')
    .map(({ attributes: { Arn: ruleArn = '' }, properties }) => {
      const { EventBusName = 'default', EventPattern, Targets } = properties;
      const matches: EventPattern = parseEventPattern(JSON.stringify(EventPattern));
      return {
        // A rule refers to its bus by name or ARN.
        busName: EventBusName.split('/').at(-1),
        matches,
        targets: Targets.map(({ Arn }) => toTarget(Arn, ruleArn)),
      };
    });
  return {
    buses: new Map(buses.map(({ ref, attributes }) => [ref, attributes.Arn ?? ref])),
    findTargets: (busName, event) =>
      rules
        .filter((rule) => rule.busName === busName && rule.matches(event))
        .flatMap(({ targets }) => targets),
    buckets,
  };
}

function createTargets(
  stack: Stack,
  { queues, invoke }: EventRulesOptions,
  streams: ReadonlyMap<string, (event: object) => void>,
) {
  const requireInvoke = createPermissionCheck(stack, service);
  const requireSend = createQueuePermissionCheck(stack, service);
  const queueUrls = new Map(
    stack
      .resources('AWS::SQS::Queue', v.unknown())
      .map(({ ref, attributes }) => [attributes.Arn, ref]),
  );
  return (targetArn: string, ruleArn: string): Target => {
    const queueUrl = queueUrls.get(targetArn);
    if (queueUrl) {
      requireSend(queueUrl, ruleArn);
      return async (event) => queues.send(targetArn, event);
    }
    const putRecord = streams.get(targetArn);
    if (putRecord) return async (event) => putRecord(event);
    if (targetArn.includes(':lambda:')) {
      requireInvoke(targetArn, ruleArn);
      return (event) => invoke(targetArn, event);
    }
    throw new Problem(`The local cloud does not support ${targetArn} as a target of rules.`);
  };
}
