import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { parseFunctionName } from '../account.ts';
import type { FunctionDefinition } from '../functions/function-definition.ts';
import type { Decide } from '../stack/iam-roles.ts';
import type { Stack } from '../stack/read-stack.ts';
import { type EventPattern, parseEventPattern } from './event-pattern.ts';

const noLimit = -1;

const MappingProperties = v.strictObject({
  BatchSize: v.optional(v.number(), 100),
  BisectBatchOnFunctionError: v.optional(v.boolean(), false),
  DestinationConfig: v.optional(
    v.strictObject({ OnFailure: v.optional(v.strictObject({ Destination: v.string() })) }),
    {},
  ),
  Enabled: v.optional(v.boolean(), true),
  EventSourceArn: v.pipe(v.string(), v.includes(':dynamodb:', 'only table streams are supported')),
  FilterCriteria: v.optional(
    v.strictObject({ Filters: v.array(v.strictObject({ Pattern: v.string() })) }),
  ),
  FunctionName: v.string(),
  FunctionResponseTypes: v.optional(v.array(v.literal('ReportBatchItemFailures')), []),
  MaximumBatchingWindowInSeconds: v.optional(v.number(), 0),
  MaximumRecordAgeInSeconds: v.optional(v.number(), noLimit),
  // Ignored: the local cloud has no metrics.
  MetricsConfig: v.optional(v.unknown()),
  MaximumRetryAttempts: v.optional(v.number(), noLimit),
  ParallelizationFactor: v.optional(v.number(), 1),
  StartingPosition: v.picklist(['TRIM_HORIZON', 'LATEST']),
  Tags: v.optional(v.unknown()),
});

export interface EventSourceMapping {
  id: string;
  streamArn: string;
  target: FunctionDefinition;
  startingPosition: 'TRIM_HORIZON' | 'LATEST';
  batchSize: number;
  /** Maximum concurrent batches per shard. Changes of one item stay in order. */
  parallelBatches: number;
  /** Maximum time to collect records for a batch, in seconds. */
  windowSeconds: number;
  /** Reports whether the function receives a record; other records count as processed. */
  matches: EventPattern;
  reportsItemFailures: boolean;
  bisects: boolean;
  /**
   * Maximum number of retries. If `Infinity`, retries end only when a record exceeds
   * `maxAgeSeconds`.
   */
  maxRetries: number;
  maxAgeSeconds: number;
  /** ARN of the queue for abandoned records. */
  failureQueue: string | undefined;
}

/** Reports whether a mapping reads a queue (see queue-mappings.ts). */
export const readsQueue = (properties: unknown): boolean =>
  v.is(v.object({ EventSourceArn: v.pipe(v.string(), v.includes(':sqs:')) }), properties);

const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator'];

/**
 * Returns the enabled stream mappings. Throws a Problem if a function's role lacks a permission
 * that its mapping needs.
 */
export function getEventSourceMappings(
  stack: Stack,
  functions: readonly FunctionDefinition[],
  roles: ReadonlyMap<string, Decide>,
): EventSourceMapping[] {
  return stack
    .resources('AWS::Lambda::EventSourceMapping', MappingProperties, (one) => !readsQueue(one))
    .filter(({ properties }) => properties.Enabled)
    .map(({ id, properties }) => {
      const target = functions.find(
        ({ name }) => name === parseFunctionName(properties.FunctionName),
      );
      if (!target) throw new Problem(`${id}: its function is not in the template`);
      const failureQueue = properties.DestinationConfig.OnFailure?.Destination;
      const neededPermissions = [
        ...streamActions.map(
          (action) => [`dynamodb:${action}`, properties.EventSourceArn] as const,
        ),
        ...(failureQueue ? [['sqs:SendMessage', failureQueue] as const] : []),
      ];
      for (const [action, resource] of neededPermissions) {
        if (roles.get(target.roleArn)?.(action, resource) !== 'allow') {
          throw new Problem(
            `${id}: the role of ${target.id} does not allow ${action} on ${resource}`,
          );
        }
      }
      const patterns = properties.FilterCriteria?.Filters.map(({ Pattern }) =>
        parseEventPattern(Pattern),
      );
      return {
        id,
        streamArn: properties.EventSourceArn,
        target,
        startingPosition: properties.StartingPosition,
        batchSize: properties.BatchSize,
        parallelBatches: properties.ParallelizationFactor,
        windowSeconds: properties.MaximumBatchingWindowInSeconds,
        matches: (event) => patterns?.some((matches) => matches(event)) ?? true,
        reportsItemFailures: properties.FunctionResponseTypes.length > 0,
        bisects: properties.BisectBatchOnFunctionError,
        maxRetries: toLimit(properties.MaximumRetryAttempts),
        maxAgeSeconds: toLimit(properties.MaximumRecordAgeInSeconds),
        failureQueue,
      };
    });
}

const toLimit = (value: number) => (value === noLimit ? Number.POSITIVE_INFINITY : value);
