import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { clock, toSeconds } from '../shared/clock.ts';
import { withDeadline } from '../shared/deadline.ts';
import { describeCause } from '../shared/log/describe-cause.ts';
import { beginInvocation } from '../shared/log/invocation.ts';
import { log } from '../shared/log/log.ts';
import { logInvocation } from '../shared/log/log-invocation.ts';
import { usage } from '../shared/log/usage.ts';
import { attemptDelivery, type DeliveryOutcome } from '../shared/webhooks/attempt-delivery.ts';
import { createDeliveries } from '../shared/webhooks/create-deliveries.ts';
import { Delivery, PublishedEvent } from '../shared/webhooks/delivery.ts';

const Message = v.pipe(v.string(), v.parseJson(), v.union([Delivery, PublishedEvent]));

/** Milliseconds reserved for the reply. */
const reservedMilliseconds = 1000;

interface Result {
  outcome: DeliveryOutcome | 'published' | 'fault';
  /** Seconds that a due message has waited. */
  lateSeconds: number;
}

/**
 * Creates deliveries from the events of the bus, and attempts the deliveries. Handles the messages
 * of a batch independently; SQS redelivers messages that fail.
 */
export const handler = async (
  { Records }: SQSEvent,
  context: Context,
): Promise<SQSBatchResponse> => {
  beginInvocation();
  const milliseconds = context.getRemainingTimeInMillis() - reservedMilliseconds;
  const results = await withDeadline(milliseconds, () => Promise.all(Records.map(handleRecord)));
  const count = (wanted: Result['outcome']) =>
    results.filter(({ outcome }) => outcome === wanted).length || undefined;
  const failed = Records.filter((_, n) => results[n]?.outcome === 'fault');
  const facts = {
    operation: 'webhooks',
    records: Records.length,
    delivered: count('delivered'),
    failed_attempts: count('failed'),
    oldest_seconds: Math.max(0, ...results.map(({ lateSeconds }) => lateSeconds)) || undefined,
    failed: failed.length || undefined,
    fault: failed.length > 0,
  };
  logInvocation(context, { ...facts, ...usage }, 'INFO');
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
};

async function handleRecord({ body }: SQSRecord): Promise<Result> {
  const now = toSeconds(clock.now());
  try {
    const message = v.parse(Message, body);
    if ('detail' in message) {
      await createDeliveries(message);
      const { created_at } = message.detail;
      // A replayed event is old, but was not due until now.
      return { outcome: 'published', lateSeconds: message.endpoint_id ? 0 : now - created_at };
    }
    const outcome = await attemptDelivery(message);
    return { outcome, lateSeconds: outcome === 'waiting' ? 0 : now - message.due };
  } catch (error) {
    log({ level: 'ERROR', operation: 'webhooks', cause: describeCause(error) });
    return { outcome: 'fault', lateSeconds: 0 };
  }
}
