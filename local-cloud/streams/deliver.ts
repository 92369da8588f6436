import * as v from 'valibot';
import type { Outcome } from '../functions/thread-protocol.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';
import type { StreamRecord } from './stream-event.ts';

export interface DeliverySurroundings {
  invoke(records: readonly StreamRecord[]): Promise<Outcome>;
  /** Receives abandoned records. */
  giveUp(records: readonly StreamRecord[], reason: GivenUp): void;
  /** Throws when the local cloud is stopping: the records then count as not delivered. */
  pause(milliseconds: number): Promise<void>;
}

export interface GivenUp {
  condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  invocations: number;
}

const firstPause = 50;
const longestPause = 5000;

const BatchReply = v.object({
  batchItemFailures: v.optional(v.array(v.object({ itemIdentifier: v.string() })), []),
});

/**
 * Delivers the records until the function has processed each or it is abandoned. Retries and
 * bisects failures as the mapping says; later records of the stream wait.
 */
export async function deliver(
  mapping: EventSourceMapping,
  batch: readonly StreamRecord[],
  surroundings: DeliverySurroundings,
): Promise<void> {
  let records = batch;
  for (let retries = 0, invocations = 1; ; invocations += 1) {
    const outcome = await surroundings.invoke(records);
    const left = undone(mapping, records, outcome);
    if (left.length === 0) return;
    const isTooOld = ageSeconds(left) > mapping.oldestSeconds;
    const gotOn = left.length < records.length;
    if (mapping.bisects && left.length > 1 && !isTooOld) {
      if (!gotOn) {
        // Bisecting does not count as a retry: it ends at single records, which are retried.
        const middle = Math.ceil(left.length / 2);
        await surroundings.pause(firstPause);
        await deliver(mapping, left.slice(0, middle), surroundings);
        await deliver(mapping, left.slice(middle), surroundings);
        return;
      }
    } else {
      if (isTooOld || retries >= mapping.maxRetries) {
        const condition = isTooOld ? 'RecordAgeExceeded' : 'RetryAttemptsExhausted';
        surroundings.giveUp(left, { condition, invocations });
        return;
      }
      retries += 1;
    }
    records = left;
    await surroundings.pause(Math.min(longestPause, firstPause * 2 ** Math.min(retries, 10)));
  }
}

/**
 * Returns the records from the first failed one: order is preserved, so later ones are delivered
 * again.
 */
function undone(
  { reportsItemFailures }: EventSourceMapping,
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
  // An unknown identifier makes the whole batch fail.
  return records.slice(Math.max(0, first));
}

const ageSeconds = ([oldest]: readonly StreamRecord[]) =>
  Date.now() / 1000 - (oldest?.dynamodb.ApproximateCreationDateTime ?? 0);
