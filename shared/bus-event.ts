import type { EventType } from './contract/resources/event.ts';
import type { StreamChange } from './stream-change.ts';

export type BusEventType = EventType | 'business.created' | 'business.updated';

/**
 * An event on the stage's bus. It has no content, so an archive of events contains no deleted
 * content. An erasure must still remove the person's ids from the archive.
 */
export interface BusEvent {
  /** Id of the change. Feeds, pushes and duplicates of the event contain the same id. */
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
  /** `contact_id` of the conversation, or the contact who joined or left the group. */
  contact_id?: string | null;
  group_id?: string | null;
  business_id?: string;
  /** The only contact who may see the event, such as the contact whose settings changed. */
  recipient_id?: string;
}

export interface BusEntry {
  event: BusEvent;
  change: StreamChange;
}
