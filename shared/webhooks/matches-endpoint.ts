import type { BusEvent, BusEventType } from '../bus-event.ts';
import { eventTypes } from '../contract/resources/event.ts';

/** Types of events that endpoints receive. Openings stay within the service. */
export const webhookTypes: readonly BusEventType[] = [
  ...eventTypes.filter((type) => type !== 'reader.updated'),
  ...(['business.created', 'business.updated'] as const),
];

/** Selection of events by an endpoint. */
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

/** Reports whether a pattern contains a type. `message.*` contains all types of messages. */
export const matchesType = (pattern: string, type: BusEventType): boolean =>
  pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
