import type { Event } from './contract/resources/event.ts';

/** An event to publish. */
export interface PushEvent {
  event: Event;
  /** Whether the event leaves the text and the attachments of a message unchanged. */
  keepsContent: boolean;
}
