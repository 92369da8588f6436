import type {
  Event,
  Group,
  Member,
  Message,
  MessageEvent,
  OpenedConversation,
  RemovedMember,
} from '../generated/types.ts';

/** A changed message without its text and attachments, which are unchanged. */
export type MessagePart = Omit<Message, 'message' | 'attachments'>;

/**
 * An event from the feed, or a push. If the payload is too large for a push, the push contains only
 * part of the payload.
 */
export type PushEvent = Event | (Omit<MessageEvent, 'payload'> & { payload: MessagePart });

export type GroupChange = Group | Member | RemovedMember;

/** Reports whether a payload shows that the other contact opened the conversation. */
export const isOpening = (payload: object): payload is OpenedConversation =>
  'last_read_message_id' in payload;

/** Reports whether a payload is a message without its text and attachments. */
export const isMessagePart = (payload: object): payload is MessagePart =>
  'reactions' in payload && !('message' in payload);
