import * as v from 'valibot';
import type { Outcome } from '../functions/thread-protocol.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';
import type { StreamRecord } from './stream-event.ts';

export type RetryRules = Pick<
  EventSourceMapping,
  'reportsItemFailures' | 'bisects' | 'maxRetries' | 'maxAgeSeconds'
>;

export interface DeliveryActions {
  invoke(records: readonly StreamRecord[]): Promise<Outcome>;
  abandon(records: readonly StreamRecord[], reason: AbandonReason): void;
  /** Waits. Throws if the local cloud is stopping, so that the records count as not delivered. */
  pause(milliseconds: number): Promise<void>;
}

export interface AbandonReason {
  condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  invocations: number;
}

const minPauseMilliseconds = 50;
const maxPauseMilliseconds = 5000;

const BatchReply = v.object({
  batchItemFailures: v.optional(v.array(v.object({ itemIdentifier: v.string() })), []),
});

/**
 * Delivers the records until each is processed or abandoned. Retries and bisects failed batches
 * according to the mapping. Later records in the lane wait.
 */
export async function deliverBatch(
  mapping: RetryRules,
  batch: readonly StreamRecord[],
  actions: DeliveryActions,
): Promise<void> {
  let records = batch;
  for (let retries = 0, invocations = 1; ; invocations += 1) {
    const outcome = await actions.invoke(records);
    const unprocessed = getUnprocessed(mapping, records, outcome);
    if (unprocessed.length === 0) return;
    const isTooOld = getAgeSeconds(unprocessed) > mapping.maxAgeSeconds;
    const madeProgress = unprocessed.length < records.length;
    if (mapping.bisects && unprocessed.length > 1 && !isTooOld) {
      if (!madeProgress) {
        // A bisection does not count as a retry. Bisection ends at single records. The retries of a
        // single record count toward `maxRetries`.
        const middle = Math.ceil(unprocessed.length / 2);
        await actions.pause(minPauseMilliseconds);
        await deliverBatch(mapping, unprocessed.slice(0, middle), actions);
        await deliverBatch(mapping, unprocessed.slice(middle), actions);
        return;
      }
    } else {
      if (isTooOld || retries >= mapping.maxRetries) {
        const condition = isTooOld ? 'RecordAgeExceeded' : 'RetryAttemptsExhausted';
        actions.abandon(unprocessed, { condition, invocations });
        return;
      }
      retries += 1;
    }
    records = unprocessed;
    await actions.pause(
      Math.min(maxPauseMilliseconds, minPauseMilliseconds * 2 ** Math.min(retries, 10)),
    );
  }
}

/** Returns the first failed record and all later records, which are delivered again in order. */
function getUnprocessed(
  { reportsItemFailures }: RetryRules,
  records: readonly StreamRecord[],
  outcome: Outcome,
): readonly StreamRecord[] {
  if (!outcome.ok) return records;
  if (!reportsItemFailures) return [];
  const parsed = v.safeParse(v.nullish(BatchReply), JSON.parse(outcome.reply));
  if (!parsed.success) return records;
  const failed = (parsed.output?.batchItemFailures ?? []).map(
    ({ itemIdentifier }) => itemIdentifier,
  );
  if (failed.length === 0) return [];
  const first = records.findIndex(({ dynamodb }) => failed.includes(dynamodb.SequenceNumber));
  // If the batch contains none of the reported identifiers, the whole batch counts as failed.
  return records.slice(Math.max(0, first));
}

const getAgeSeconds = ([oldest]: readonly StreamRecord[]) =>
  Date.now() / 1000 - (oldest?.dynamodb.ApproximateCreationDateTime ?? 0);
