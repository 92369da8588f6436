import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import { clock } from '../clock.ts';
import { withDeadline } from '../deadline.ts';
import { describeCause } from '../log/describe-cause.ts';
import { beginInvocation } from '../log/invocation.ts';
import { log } from '../log/log.ts';
import { logInvocation } from '../log/log-invocation.ts';
import { usage } from '../log/usage.ts';

export type ChangedKey = v.InferOutput<typeof ChangedKey>;
const ChangedKey = v.object({ pk: v.string(), sk: v.string() });

type ItemChange = v.InferOutput<ReturnType<typeof createChangeSchema>>;
const createChangeSchema = (attribute: string) =>
  v.pipe(
    v.object({
      SequenceNumber: v.string(),
      ApproximateCreationDateTime: v.number(),
      Keys: v.object({ pk: v.object({ S: v.string() }), sk: v.object({ S: v.string() }) }),
      NewImage: v.optional(v.object({ [attribute]: v.optional(v.object({ N: v.string() })) })),
    }),
    v.transform(({ SequenceNumber, ApproximateCreationDateTime, Keys: { pk, sk }, NewImage }) => ({
      key: { pk: pk.S, sk: sk.S },
      sequenceNumber: SequenceNumber,
      changedAt: ApproximateCreationDateTime * 1000,
      dueSince: Number(NewImage?.[attribute]?.N),
    })),
  );

export interface HandlerLimits {
  /** Time at which the item changed, in milliseconds since 1970. Precise to the second. */
  changedAt: number;
  concurrentItems: number;
  /** Time at which to stop, in milliseconds since 1970. */
  until: number;
}

/** Milliseconds reserved for calls that are still running when handlers must stop. */
const reservedMilliseconds = 15_000;
/** Milliseconds of the function's time reserved for the reply. */
const replyMilliseconds = 1500;

export interface StreamWorker {
  name: string;
  /** Attribute with the time at which work became due, in milliseconds since 1970. */
  dueSinceAttribute: string;
  /** Returns the item's name for the log; by default, its partition. */
  getItemName?: (key: ChangedKey) => string;
}

/**
 * Outcomes after which work remains. A handler may return `unfinished`; an error means `failed`.
 */
const unfinishedOutcomes = ['unfinished', 'failed'];

/**
 * Returns a worker's function, which handles all changed items concurrently. The function handles
 * each item once, with the item's last change. Reports failed items, so that Lambda retries them.
 */
export const serveRecords =
  (
    { name: operation, dueSinceAttribute, getItemName = ({ pk }) => pk }: StreamWorker,
    handle: (key: ChangedKey, handlerLimits: HandlerLimits) => Promise<string>,
  ) =>
  async ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    beginInvocation();
    const milliseconds = context.getRemainingTimeInMillis();
    const until = clock.now() + milliseconds - reservedMilliseconds;
    const changes = Records.map(({ dynamodb }) =>
      v.parse(createChangeSchema(dueSinceAttribute), dynamodb),
    );
    const byItem = [...Map.groupBy(changes, ({ key }) => JSON.stringify(key)).values()];
    const handleItem = async ({ key, sequenceNumber, changedAt, dueSince }: ItemChange) => {
      try {
        const limits = { changedAt, concurrentItems: byItem.length, until };
        return { dueSince, outcome: await handle(key, limits) };
      } catch (error) {
        log({ level: 'ERROR', operation, item: getItemName(key), cause: describeCause(error) });
        return { dueSince, outcome: 'failed', itemIdentifier: sequenceNumber };
      }
    };
    const outcomes = await withDeadline(milliseconds - replyMilliseconds, () =>
      Promise.all(byItem.flatMap((all) => all.at(-1) ?? []).map(handleItem)),
    );
    const waiting = outcomes.filter(
      ({ outcome, dueSince }) => unfinishedOutcomes.includes(outcome) && dueSince,
    );
    const counts = Object.entries(Object.groupBy(outcomes, ({ outcome }) => outcome)).map(
      ([outcome, items = []]) => [outcome, items.length] as const,
    );
    const failures = outcomes.flatMap(({ itemIdentifier }) =>
      itemIdentifier === undefined ? [] : { itemIdentifier },
    );
    const outcome = {
      ...Object.fromEntries(counts),
      unfinished_seconds: waiting.length > 0 ? getWaitingSeconds(waiting) : undefined,
      fault: failures.length > 0,
    };
    logInvocation(context, { operation, records: Records.length, ...outcome, ...usage }, 'INFO');
    return { batchItemFailures: failures };
  };

const getWaitingSeconds = (waiting: readonly { dueSince: number }[]): number =>
  Math.round((clock.now() - Math.min(...waiting.map(({ dueSince }) => dueSince))) / 1000);
