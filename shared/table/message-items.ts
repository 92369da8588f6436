import * as v from 'valibot';
import { toSeconds, toSecondsOrNull } from '../clock.ts';
import type { Contact } from '../contract/contact.ts';
import type { Attachment, Message } from '../contract/message.ts';
import type { Item } from './access.ts';

/**
 * A conversation's messages are a log: places numbered from 1, each of which holds a message, or a marker where there is
 * none and never will be, or nothing while a send is under way or after the marker has expired. Times in milliseconds.
 */
export const MessageItem = v.object({
  id: v.string(),
  conversation_id: v.string(),
  sequence: v.number(),
  sent_by: v.string(),
  message: v.string(),
  /** As JSON text, so that they come back just as they were given. */
  attachments: v.optional(v.string()),
  read_at: v.optional(v.number()),
  created_at: v.number(),
  updated_at: v.optional(v.number()),
  /** When the place before this one was given out: tells whether a send to that place may still be under way. */
  previous_at: v.number(),
});
export type MessageItem = v.InferOutput<typeof MessageItem>;

const Marker = v.object({ sequence: v.number(), previous_at: v.number() });
export type Marker = v.InferOutput<typeof Marker>;

/** A place of the log that is decided: a message, or that there is none. */
export type LogEntry = MessageItem | Marker;

export const isMessage = (entry: LogEntry): entry is MessageItem => 'id' in entry;

export const toLogEntry = (item: Item): LogEntry =>
  'id' in item ? v.parse(MessageItem, item) : v.parse(Marker, item);

const Attachments = v.array(v.custom<Attachment>((value) => typeof value === 'object'));

/** The reply: a message with the contact who sent it. */
export const messageFrom = (contact: Contact, item: MessageItem): Message => ({
  id: item.id,
  conversation_id: item.conversation_id,
  contact,
  message: item.message,
  reactions: [],
  attachments: item.attachments ? v.parse(Attachments, JSON.parse(item.attachments)) : [],
  read_at: toSecondsOrNull(item.read_at),
  created_at: toSeconds(item.created_at),
  updated_at: toSecondsOrNull(item.updated_at),
});
