import type { Event } from './contract/resources/event.ts';

export interface PushEvent {
  event: Event;
  /** Whether the event leaves a message's text and attachments unchanged. */
  keepsContent: boolean;
}
