import { clock, toSeconds } from '../clock.ts';
import { type EndpointItem, getLane } from '../table/webhooks/endpoint-item.ts';
import { renderDelivery } from '../table/webhooks/render-delivery.ts';
import type { PublishedEvent } from './delivery.ts';
import { findEndpoint, getEndpoints } from './endpoints-cache.ts';
import { matchesEndpoint } from './matches-endpoint.ts';
import { keepDeadLetter, queueDelivery } from './queue-delivery.ts';

/**
 * Queues an event's deliveries, all with the same body, for the endpoints that receive it. A
 * replayed event targets one endpoint, regardless of the endpoint's filter. For a disabled
 * endpoint, the event becomes a dead letter. A retry after a crash may queue some deliveries again.
 */
export async function createDeliveries({
  detail: event,
  endpoint_id: endpointId,
}: PublishedEvent): Promise<void> {
  const endpoints =
    endpointId === undefined
      ? [...(await getEndpoints()).values()].filter((one) => matchesEndpoint(one, event))
      : [(await findEndpoint(endpointId)) ?? []].flat();
  const isDisabled = ({ state }: EndpointItem) => state === 'disabled';
  const receivers = endpoints.filter((one) => !isDisabled(one));
  const body = receivers.length > 0 ? await renderDelivery(event) : '';
  const now = toSeconds(clock.now());
  await Promise.all([
    ...receivers.map((endpoint) => {
      const first = { attempts: 0, first_at: now, due: now, lane: getLane(endpoint) };
      return queueDelivery({ endpoint_id: endpoint.id, event, body, ...first }, now);
    }),
    ...endpoints
      .filter(isDisabled)
      .map(({ id }) => keepDeadLetter({ endpoint_id: id, event }, 'the endpoint is disabled')),
  ]);
}
