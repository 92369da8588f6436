import type { BusEvent } from '../bus-event.ts';
import { env } from '../env.ts';
import { sendMessage } from './aws-calls.ts';
import type { DeadLetter, Delivery } from './delivery.ts';

/** Queues a delivery in its lane, and delays it until it is due, up to SQS's maximum delay. */
export function queueDelivery(delivery: Delivery, now: number): Promise<void> {
  const url = env(delivery.lane === 'fast' ? 'WEBHOOK_QUEUE_URL' : 'WEBHOOK_SLOW_QUEUE_URL');
  return sendMessage(url, delivery, {
    delaySeconds: delivery.due - now,
    group: delivery.endpoint_id,
  });
}

/** Sends a failed delivery's event, without the body, to the dead-letter queue. */
export function keepDeadLetter(
  { endpoint_id, event }: { endpoint_id: string; event: BusEvent },
  reason: string,
): Promise<void> {
  const letter: DeadLetter = { endpoint_id, event, reason };
  return sendMessage(env('WEBHOOK_DEAD_LETTERS_URL'), letter, { group: endpoint_id });
}
