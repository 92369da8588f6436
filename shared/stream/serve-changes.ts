import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import { within } from '../deadline.ts';
import { causeText } from '../log/cause-text.ts';
import { beginInvocation, invocationFacts } from '../log/invocation.ts';
import { log } from '../log/log.ts';
import { withMetrics } from '../log/metrics.ts';
import { usage } from '../log/usage.ts';

/** One change of an item: `before` and `after` are as the stream has them, absent where there was or is none. */
export type StreamedChange = v.InferOutput<typeof StreamedChange>;
const StreamedChange = v.pipe(
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

/** Kept of the function's time for answering. */
const reserveMilliseconds = 1500;

/** What has become of a batch: changes that are to come again, and facts for the log. */
export interface Outcome {
  failed: ReadonlySet<StreamedChange>;
  facts: Record<string, number>;
}

/**
 * The Lambda function of a worker that is told of every change of some items, in the order of the stream. Those that it
 * fails on are reported, so that Lambda gives them again; if it throws, all are.
 */
export const serveChanges =
  (operation: string, handle: (changes: readonly StreamedChange[]) => Promise<Outcome>) =>
  async ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    beginInvocation();
    const changes = Records.map(({ dynamodb }) => v.parse(StreamedChange, dynamodb));
    const milliseconds = context.getRemainingTimeInMillis() - reserveMilliseconds;
    const { failed, facts } = await within(milliseconds, () => handle(changes)).catch(
      (error): Outcome => {
        log({ level: 'ERROR', operation, cause: causeText(error) });
        return { failed: new Set(changes), facts: {} };
      },
    );
    log({
      level: 'INFO',
      ...withMetrics({
        operation,
        records: Records.length,
        ...facts,
        ...invocationFacts(context),
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
