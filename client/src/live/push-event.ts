import type {
  Event,
  Group,
  Member,
  Message,
  MessageEvent,
  OpenedConversation,
  RemovedMember,
} from '../generated/types.ts';

/** A message without its text and attachments, which the change did not affect. */
export type MessagePart = Omit<Message, 'message' | 'attachments'>;

/**
 * An event from the feed, or a push. If the whole payload is too large for a push, the push
 * contains only a part.
 */
export type PushEvent = Event | (Omit<MessageEvent, 'payload'> & { payload: MessagePart });

/** A group or a member, after a change. */
export type GroupChange = Group | Member | RemovedMember;

/** Reports whether a payload shows that the other contact opened the conversation. */
export const isOpening = (payload: object): payload is OpenedConversation =>
  'last_read_message_id' in payload;

/** Reports whether a payload is a message without its text and attachments. */
export const isMessagePart = (payload: object): payload is MessagePart =>
  'reactions' in payload && !('message' in payload);
