import * as v from 'valibot';
import type { BusEvent } from '../bus-event.ts';
import { env } from '../env.ts';
import { describeCause } from '../log/describe-cause.ts';
import { log } from '../log/log.ts';
import { callOperation, type ServiceOperation } from '../signing/call-operation.ts';
import { withRetries } from '../signing/with-retries.ts';

/** `source` of all events. */
export const eventSource = 'messaging-service';

/**
 * Maximum number of entries per PutEvents call. Ten events are far below the limit of 256 KB per
 * call.
 */
const maxEntries = 10;

const putEventsOperation: ServiceOperation = {
  service: 'events',
  target: 'AWSEvents.PutEvents',
  json: '1.1',
};

const Reply = v.object({
  Entries: v.array(v.object({ ErrorCode: v.optional(v.string()) })),
});

/** Reports whether the stage has an event bus. */
export const hasBus = (): boolean => process.env.BUS_NAME !== undefined;

/**
 * Puts events on the stage's bus, and retries failures. Never throws: logs the error, and returns
 * the events that still fail.
 */
export async function putEvents<Event extends BusEvent>(
  events: readonly Event[],
): Promise<ReadonlySet<Event>> {
  const batches = Array.from({ length: Math.ceil(events.length / maxEntries) }, (_, n) =>
    events.slice(n * maxEntries, (n + 1) * maxEntries),
  );
  return new Set((await Promise.all(batches.map(putBatch))).flat());
}

async function putBatch<Event extends BusEvent>(batch: readonly Event[]): Promise<Event[]> {
  let remaining = [...batch];
  const putRemaining = async () => {
    const codes = await putOnce(remaining);
    remaining = remaining.filter((_, n) => codes[n] !== undefined);
    if (remaining.length > 0) throw new Error(codes.find((code) => code !== undefined));
  };
  await withRetries(putRemaining).catch((error) =>
    log({
      level: 'ERROR',
      operation: 'bus',
      events: remaining.length,
      cause: describeCause(error),
    }),
  );
  return remaining;
}

/** Puts events once. Returns each event's error code; `undefined` if the bus accepted the event. */
async function putOnce(events: readonly BusEvent[]): Promise<(string | undefined)[]> {
  const EventBusName = env('BUS_NAME');
  const text = await callOperation(putEventsOperation, new URL(env('BUS_URL')), {
    Entries: events.map((event) => ({
      EventBusName,
      Source: eventSource,
      DetailType: event.type,
      Detail: JSON.stringify(event),
      Time: event.created_at,
    })),
  });
  return v.parse(Reply, JSON.parse(text)).Entries.map(({ ErrorCode }) => ErrorCode);
}
