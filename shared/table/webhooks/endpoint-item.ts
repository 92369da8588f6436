import * as v from 'valibot';
import type { Item } from '../calls/access.ts';
import { queryPage } from '../calls/access.ts';
import { tableKey } from '../keys/names.ts';
import { webhookEndpointKey } from '../keys/webhook-keys.ts';

/**
 * Number of consecutive failed or slow attempts after which an endpoint uses the slow lane. New
 * endpoints start with this count.
 */
export const minSlowAttempts = 3;

/**
 * A paused endpoint receives only probes. A disabled endpoint receives nothing until it is enabled.
 */
export const endpointStates = ['active', 'paused', 'disabled'] as const;

/**
 * Each lane is a queue with separate invocations. The slow lane takes retries and all deliveries to
 * slow or failing endpoints, so that they do not delay other endpoints.
 */
export const lanes = ['fast', 'slow'] as const;
export type Lane = (typeof lanes)[number];

/** An endpoint that an operator added. Timestamps are in Unix seconds. */
export const EndpointItem = v.object({
  id: v.string(),
  url: v.string(),
  /** Event types, and patterns such as `message.*` for all event types of a resource. */
  types: v.array(v.string()),
  /** If set, the endpoint receives only events of this group or of this contact. */
  group_id: v.optional(v.string()),
  contact_id: v.optional(v.string()),
  state: v.picklist(endpointStates),
  /** Failed or slow attempts since the last fast success. */
  slow_attempts: v.optional(v.number(), minSlowAttempts),
  reason: v.optional(v.string()),
  created_at: v.number(),
  /** Number of failed attempts since the last success, the first at `failing_since`. */
  failures: v.optional(v.number(), 0),
  failing_since: v.optional(v.number()),
  probe_at: v.optional(v.number()),
});
export type EndpointItem = v.InferOutput<typeof EndpointItem>;

export const getLane = ({ slow_attempts }: EndpointItem): Lane =>
  slow_attempts >= minSlowAttempts ? 'slow' : 'fast';

export const parseEndpoint = (item: Item): EndpointItem => v.parse(EndpointItem, item);

export const toStoredEndpoint = (endpoint: EndpointItem) => ({
  ...webhookEndpointKey(endpoint.id),
  ...endpoint,
});

export async function listEndpoints(): Promise<EndpointItem[]> {
  const endpoints: EndpointItem[] = [];
  let start: Item | undefined;
  do {
    const page = await queryPage({
      KeyConditionExpression: `${tableKey.partition} = :partition`,
      ExpressionAttributeValues: { ':partition': webhookEndpointKey('').pk },
      ConsistentRead: true,
      ExclusiveStartKey: start,
    });
    endpoints.push(...page.items.map(parseEndpoint));
    start = page.next;
  } while (start);
  return endpoints;
}
