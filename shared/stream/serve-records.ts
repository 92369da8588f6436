import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import { clock } from '../clock.ts';
import { within } from '../deadline.ts';
import { causeText } from '../log/cause-text.ts';
import { beginInvocation, invocationFacts } from '../log/invocation.ts';
import { log } from '../log/log.ts';
import { withMetrics } from '../log/metrics.ts';
import { usage } from '../log/usage.ts';

/** The key of an item of the table that has changed. */
export type ChangedKey = v.InferOutput<typeof ChangedKey>;
const ChangedKey = v.object({ pk: v.string(), sk: v.string() });

type Change = v.InferOutput<ReturnType<typeof changeWith>>;
/** A change of an item, and the number that is its attribute of that name. */
const changeWith = (attribute: string) =>
  v.pipe(
    v.object({
      SequenceNumber: v.string(),
      Keys: v.object({ pk: v.object({ S: v.string() }), sk: v.object({ S: v.string() }) }),
      NewImage: v.optional(v.object({ [attribute]: v.optional(v.object({ N: v.string() })) })),
    }),
    v.transform(({ SequenceNumber, Keys: { pk, sk }, NewImage }) => ({
      key: { pk: pk.S, sk: sk.S },
      sequenceNumber: SequenceNumber,
      since: Number(NewImage?.[attribute]?.N),
    })),
  );

/** How a handler may work: it is called for several items at a time. */
export interface Share {
  /** How many items are worked on side by side. */
  items: number;
  /** When to have finished, in milliseconds since 1970. */
  until: number;
}

/** Kept of the function's time for what handlers have under way when they should have finished … */
const reserveMilliseconds = 15_000;
/** … and, whatever they do, for answering. */
const answerMilliseconds = 1500;

export interface Worker {
  /** What it is called in the log. */
  name: string;
  /** The attribute of a changed item that says since when there is work to do, in milliseconds since 1970. */
  waitingSince: string;
  /** What an item is called in the log; by its partition, unless given. */
  nameOf?: (key: ChangedKey) => string;
}

/** The outcomes of an item of which something is left to do: the second is not for handlers to give. */
const unfinished = ['unfinished', 'failed'];

/**
 * The Lambda function of a worker that the table's stream feeds. Each item that changed is handled once, however many
 * records tell of it, and all of them side by side. The records of those whose handling throws are reported, so that
 * Lambda gives these again; the others count as done. What a handler gives is its outcome, counted in the log: an
 * `unfinished` one tells there how long it has been waiting, and so does one that failed.
 */
export const serveRecords =
  (
    { name: operation, waitingSince, nameOf = ({ pk }) => pk }: Worker,
    handle: (key: ChangedKey, share: Share) => Promise<string>,
  ) =>
  async ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    beginInvocation();
    const milliseconds = context.getRemainingTimeInMillis();
    const until = clock.now() + milliseconds - reserveMilliseconds;
    const changes = Records.map(({ dynamodb }) => v.parse(changeWith(waitingSince), dynamodb));
    const byItem = [...Map.groupBy(changes, ({ key }) => JSON.stringify(key)).values()];
    const outcomeOf = async ({ key, sequenceNumber, since }: Change) => {
      try {
        return { since, outcome: await handle(key, { items: byItem.length, until }) };
      } catch (error) {
        log({ level: 'ERROR', operation, item: nameOf(key), cause: causeText(error) });
        return { since, outcome: 'failed', itemIdentifier: sequenceNumber };
      }
    };
    const outcomes = await within(milliseconds - answerMilliseconds, () =>
      Promise.all(byItem.flatMap(([change]) => change ?? []).map(outcomeOf)),
    );
    const waiting = outcomes.filter(({ outcome, since }) => unfinished.includes(outcome) && since);
    const counts = Object.entries(Object.groupBy(outcomes, ({ outcome }) => outcome)).map(
      ([outcome, items = []]) => [outcome, items.length] as const,
    );
    const failures = outcomes.flatMap(({ itemIdentifier }) =>
      itemIdentifier === undefined ? [] : { itemIdentifier },
    );
    log({
      level: 'INFO',
      ...withMetrics({
        operation,
        records: Records.length,
        ...Object.fromEntries(counts),
        ...invocationFacts(context),
        ...usage,
        unfinished_seconds: waiting.length > 0 ? secondsSince(waiting) : undefined,
        fault: Number(failures.length > 0),
      }),
    });
    return { batchItemFailures: failures };
  };

const secondsSince = (waiting: readonly { since: number }[]): number =>
  Math.round((clock.now() - Math.min(...waiting.map(({ since }) => since))) / 1000);
