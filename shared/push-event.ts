import type { Event } from './contract/resources/event.ts';

/** An event to publish. */
export interface PushEvent {
  event: Event;
  /** The event changes neither the text nor the attachments of a message. */
  keepsContent: boolean;
}
