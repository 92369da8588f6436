import type { BusEvent, BusEventType } from '../bus-event.ts';
import { eventTypes } from '../contract/resources/event.ts';

/** Event types that endpoints receive: all except `reader.updated`. */
export const webhookTypes: readonly BusEventType[] = [
  ...eventTypes.filter((type) => type !== 'reader.updated'),
  ...(['business.created', 'business.updated'] as const),
];

export interface EventFilter {
  types: readonly string[];
  group_id?: string | undefined;
  contact_id?: string | undefined;
}

/** Reports whether an endpoint receives an event. */
export function matchesEndpoint({ types, group_id, contact_id }: EventFilter, event: BusEvent) {
  if (!webhookTypes.includes(event.type)) return false;
  if (!types.some((pattern) => matchesType(pattern, event.type))) return false;
  if (group_id !== undefined)
    return event.group_id === group_id && event.recipient_id === undefined;
  if (contact_id === undefined) return true;
  if (event.recipient_id !== undefined) return event.recipient_id === contact_id;
  return event.contact_id === contact_id || (!event.group_id && event.created_by === contact_id);
}

/** Reports whether a pattern matches a type. `message.*` matches all message types. */
export const matchesType = (pattern: string, type: BusEventType): boolean =>
  pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
