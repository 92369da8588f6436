import * as v from 'valibot';
import type { BusEvent } from '../bus-event.ts';
import { lanes } from '../table/webhooks/endpoint-item.ts';

const Event = v.custom<BusEvent>((value) => v.is(v.object({ id: v.string() }), value));

/** An event from the bus, for all matching endpoints or, if replayed, for one endpoint. */
export const PublishedEvent = v.object({ detail: Event, endpoint_id: v.optional(v.string()) });
export type PublishedEvent = v.InferOutput<typeof PublishedEvent>;

/** An event queued for an endpoint. Times are in Unix seconds. */
export const Delivery = v.object({
  endpoint_id: v.string(),
  event: Event,
  /** Body of the request, identical in all attempts. */
  body: v.string(),
  attempts: v.number(),
  lane: v.picklist(lanes),
  /** Time (Unix seconds) at which the delivery began. Attempts end about three days later. */
  first_at: v.number(),
  due: v.number(),
});
export type Delivery = v.InferOutput<typeof Delivery>;

/** Record of a failed delivery. */
export const DeadLetter = v.object({ endpoint_id: v.string(), event: Event, reason: v.string() });
export type DeadLetter = v.InferOutput<typeof DeadLetter>;
