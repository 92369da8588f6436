import type { EventType } from './contract/resources/event.ts';
import type { StreamChange } from './stream-change.ts';

export type BusEventType = EventType | 'business.created' | 'business.updated';

/**
 * A change on the stage's event bus: ids, types, versions and times, never content. Except for ids,
 * an archive of events therefore contains nothing that a deletion or an erasure must remove.
 */
export interface BusEvent {
  /** Id of the change, the same in feeds and pushes. Duplicates have the same id. */
  id: string;
  type: BusEventType;
  /** Version of the changed resource: a later change has a higher version. */
  version: number;
  /** Unix seconds. */
  created_at: number;
  conversation_id?: string;
  message_id?: string;
  sender_id?: string;
  /** Creator of the conversation. */
  created_by?: string;
  /** Contact that the conversation names, or who joined or left the group. */
  contact_id?: string | null;
  group_id?: string | null;
  business_id?: string;
  /** Contact whose settings changed or who receives the event; only that contact may see it. */
  recipient_id?: string;
}

/** An event for the bus, and the change that caused it. */
export interface BusEntry {
  event: BusEvent;
  change: StreamChange;
}
