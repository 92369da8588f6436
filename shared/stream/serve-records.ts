import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import { clock } from '../clock.ts';
import { causeText, log } from '../log.ts';
import { resetUsage, usage } from '../usage.ts';

/** The key of an item of the table that has changed. */
export type ChangedKey = v.InferOutput<typeof ChangedKey>;
const ChangedKey = v.object({ pk: v.string(), sk: v.string() });

const Change = v.pipe(
  v.object({
    SequenceNumber: v.string(),
    Keys: v.object({ pk: v.object({ S: v.string() }), sk: v.object({ S: v.string() }) }),
  }),
  v.transform(({ SequenceNumber, Keys: { pk, sk } }) => ({
    key: { pk: pk.S, sk: sk.S },
    sequenceNumber: SequenceNumber,
  })),
);

/** How a handler may work: it is called for several items at a time. */
export interface Share {
  /** How many items are worked on side by side. */
  items: number;
  /** When to have finished, in milliseconds since 1970. */
  until: number;
}

/** Kept of the function's time for what is under way when it is over, and for answering. */
const reserveMilliseconds = 15_000;

/**
 * The Lambda function of a worker that the table's stream feeds. Each item that changed is handled once, however many
 * records tell of it, and all of them side by side. The records of those whose handling throws are reported, so that
 * Lambda gives these again; the others count as done. What a handler gives is its outcome, counted in the log.
 */
export const serveRecords =
  (worker: string, handle: (key: ChangedKey, share: Share) => Promise<string>) =>
  async ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    resetUsage();
    const until = clock.now() + context.getRemainingTimeInMillis() - reserveMilliseconds;
    const changes = Records.map(({ dynamodb }) => v.parse(Change, dynamodb));
    const byItem = [...Map.groupBy(changes, ({ key }) => JSON.stringify(key)).values()];
    const outcomes = await Promise.all(
      byItem
        .flatMap(([change]) => change ?? [])
        .map(async ({ key, sequenceNumber }) => {
          try {
            return { outcome: await handle(key, { items: byItem.length, until }) };
          } catch (error) {
            log({ level: 'error', worker, item: key.pk, cause: causeText(error) });
            return { outcome: 'failed', itemIdentifier: sequenceNumber };
          }
        }),
    );
    const counts = Object.entries(Object.groupBy(outcomes, ({ outcome }) => outcome)).map(
      ([outcome, items = []]) => [outcome, items.length] as const,
    );
    log({
      level: 'info',
      worker,
      records: Records.length,
      ...Object.fromEntries(counts),
      ...usage,
    });
    return {
      batchItemFailures: outcomes.flatMap(({ itemIdentifier }) =>
        itemIdentifier === undefined ? [] : { itemIdentifier },
      ),
    };
  };
