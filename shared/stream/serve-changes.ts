import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import { withDeadline } from '../deadline.ts';
import { describeCause } from '../log/describe-cause.ts';
import { beginInvocation, getInvocationFacts } from '../log/invocation.ts';
import { log } from '../log/log.ts';
import { withMetrics } from '../log/metrics.ts';
import { usage } from '../log/usage.ts';

/** A change of an item: `before` and `after` as in the stream, absent without an item. */
export type StreamChange = v.InferOutput<typeof StreamChange>;
const StreamChange = v.pipe(
  v.object({
    SequenceNumber: v.string(),
    ApproximateCreationDateTime: v.number(),
    OldImage: v.optional(v.unknown()),
    NewImage: v.optional(v.unknown()),
  }),
  v.transform(({ SequenceNumber, ApproximateCreationDateTime, OldImage, NewImage }) => ({
    sequenceNumber: SequenceNumber,
    /** Unix seconds. */
    at: Math.floor(ApproximateCreationDateTime),
    before: OldImage,
    after: NewImage,
  })),
);

/** Milliseconds of the function's time reserved for the reply. */
const reservedMilliseconds = 1500;

/** Result of a batch: changes to retry, and facts for the log. */
export interface BatchOutcome {
  failed: ReadonlySet<StreamChange>;
  facts: Record<string, number>;
}

/**
 * Returns the Lambda function of a worker that processes every change of some items in stream
 * order. Failed changes are reported, so that Lambda retries them; if the handler throws, all are.
 */
export const serveChanges =
  (operation: string, handle: (changes: readonly StreamChange[]) => Promise<BatchOutcome>) =>
  async ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    beginInvocation();
    const changes = Records.map(({ dynamodb }) => v.parse(StreamChange, dynamodb));
    const milliseconds = context.getRemainingTimeInMillis() - reservedMilliseconds;
    const { failed, facts } = await withDeadline(milliseconds, () => handle(changes)).catch(
      (error): BatchOutcome => {
        log({ level: 'ERROR', operation, cause: describeCause(error) });
        return { failed: new Set(changes), facts: {} };
      },
    );
    log({
      level: 'INFO',
      ...withMetrics({
        operation,
        records: Records.length,
        ...facts,
        ...getInvocationFacts(context),
        ...usage,
        failed: failed.size || undefined,
        fault: Number(failed.size > 0),
      }),
    });
    const batchItemFailures = changes
      .filter((change) => failed.has(change))
      .map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber }));
    return { batchItemFailures };
  };
