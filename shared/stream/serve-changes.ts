import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import { withDeadline } from '../deadline.ts';
import { describeCause } from '../log/describe-cause.ts';
import { beginInvocation } from '../log/invocation.ts';
import { log } from '../log/log.ts';
import { logInvocation } from '../log/log-invocation.ts';
import { usage } from '../log/usage.ts';
import type { StreamChange } from '../stream-change.ts';

const StreamRecord = v.pipe(
  v.object({
    SequenceNumber: v.string(),
    ApproximateCreationDateTime: v.number(),
    OldImage: v.optional(v.unknown()),
    NewImage: v.optional(v.unknown()),
  }),
  v.transform(
    ({ SequenceNumber, ApproximateCreationDateTime, OldImage, NewImage }): StreamChange => ({
      sequenceNumber: SequenceNumber,
      at: Math.floor(ApproximateCreationDateTime),
      before: OldImage,
      after: NewImage,
    }),
  ),
);

/** Milliseconds of the function's time reserved for the reply. */
const reservedMilliseconds = 1500;

export interface BatchOutcome {
  failed: ReadonlySet<StreamChange>;
  facts: Record<string, number | undefined>;
}

/**
 * Returns a Lambda handler that processes changes in order. Reports the failed changes, or all
 * changes if `handle` throws. Lambda retries from the first reported change.
 */
export const serveChanges =
  (operation: string, handle: (changes: readonly StreamChange[]) => Promise<BatchOutcome>) =>
  async ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    beginInvocation();
    const changes = Records.map(({ dynamodb }) => v.parse(StreamRecord, dynamodb));
    const milliseconds = context.getRemainingTimeInMillis() - reservedMilliseconds;
    const { failed, facts } = await withDeadline(milliseconds, () => handle(changes)).catch(
      (error): BatchOutcome => {
        log({ level: 'ERROR', operation, cause: describeCause(error) });
        return { failed: new Set(changes), facts: {} };
      },
    );
    const outcome = { ...facts, failed: failed.size || undefined, fault: failed.size > 0 };
    logInvocation(context, { operation, records: Records.length, ...outcome, ...usage }, 'INFO');
    const batchItemFailures = changes
      .filter((change) => failed.has(change))
      .map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber }));
    return { batchItemFailures };
  };
