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
  /** When the item changed, in milliseconds since 1970, with the precision of a second. */
  changedAt: number;
  concurrentItems: number;
  /** Time by which to finish, in milliseconds since 1970. */
  until: number;
}

/**
 * Milliseconds of the function's time reserved for calls that are still running when handlers must
 * finish.
 */
const reservedMilliseconds = 15_000;
/** Milliseconds of the function's time reserved for the reply. */
const replyMilliseconds = 1500;

export interface StreamWorker {
  name: string;
  /**
   * Attribute that contains the time since which work on the item is due, in milliseconds since
   * 1970.
   */
  dueSinceAttribute: string;
  /** Name of an item in the log; its partition by default. */
  getItemName?: (key: ChangedKey) => string;
}

/** Outcomes that leave work to do. A handler may return `unfinished`; an error causes `failed`. */
const unfinishedOutcomes = ['unfinished', 'failed'];

/**
 * Returns the function of a worker that reads the stream. Handles all changed items concurrently,
 * each once, with its last change. Reports failed items, so that Lambda retries them, and logs the
 * outcomes.
 */
export const serveRecords =
  (
    { name: operation, dueSinceAttribute, getItemName = ({ pk }) => pk }: StreamWorker,
    handle: (key: ChangedKey, share: HandlerLimits) => Promise<string>,
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
