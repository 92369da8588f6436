import { clock, toSeconds } from '../clock.ts';
import { env } from '../env.ts';
import { renderDelivery } from '../table/webhooks/render-delivery.ts';
import { sendMessage } from './aws-calls.ts';
import type { Delivery, PublishedEvent } from './delivery.ts';
import { getEndpoints } from './endpoints-cache.ts';
import { matchesEndpoint } from './matches-endpoint.ts';

/**
 * Queues a delivery of an event for each endpoint that receives it, all with the same body. A crash
 * may queue some of them twice. A replayed event is for one endpoint, whatever its filter.
 */
export async function createDeliveries({
  detail: event,
  endpoint_id: only,
}: PublishedEvent): Promise<void> {
  const endpoints = [...(await getEndpoints()).values()].filter((endpoint) =>
    only === undefined
      ? endpoint.state !== 'disabled' && matchesEndpoint(endpoint, event)
      : endpoint.id === only,
  );
  if (endpoints.length === 0) return;
  const body = await renderDelivery(event);
  const now = toSeconds(clock.now());
  const send = ({ id }: { id: string }) => {
    const delivery = { endpoint_id: id, event, body, attempts: 0, first_at: now, due: now };
    return sendMessage(env('WEBHOOK_QUEUE_URL'), delivery satisfies Delivery, { group: id });
  };
  await Promise.all(endpoints.map(send));
}
