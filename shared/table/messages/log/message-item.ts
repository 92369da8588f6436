import * as v from 'valibot';
import { toSeconds, toSecondsOrNull } from '../../../clock.ts';
import type { Contact } from '../../../contract/contact.ts';
import type { Attachment, Message } from '../../../contract/message.ts';
import { sorted } from '../../../contract/objects.ts';
import { type MessagePosition, messageId } from '../../../ids.ts';
import type { Item } from '../../calls/access.ts';

/**
 * A conversation's messages are a log: places numbered from 1, each of which holds a message, or a marker where there is
 * none and never will be, or nothing while a send is under way, or where one has died. Times in milliseconds.
 */
export const MessageItem = v.object({
  id: v.string(),
  conversation_id: v.string(),
  sequence: v.number(),
  sent_by: v.string(),
  message: v.string(),
  /** As JSON text, so that they come back just as they were given. */
  attachments: v.optional(v.string()),
  /** Who has reacted, by the reaction's name: sets, so that people at once lose nothing; never an empty one. */
  reactions: v.record(v.string(), v.set(v.string())),
  /** How many these are together. Absent where nobody has counted them: then whoever changes them does. */
  reaction_count: v.optional(v.number()),
  read_at: v.optional(v.number()),
  created_at: v.number(),
  updated_at: v.optional(v.number()),
  /** Counts the changes. */
  version: v.number(),
  /** Drawn for the latest change that somebody asked for, which recognises itself by it. */
  change: v.optional(v.string()),
  /** It is the conversation's pinned message. */
  pinned: v.optional(v.literal(true)),
  /** When the place before this one was given out: tells whether a send to that place may still be under way. */
  previous_at: v.number(),
});
export type MessageItem = v.InferOutput<typeof MessageItem>;

/**
 * It stays for good, but between two others (see compact-runs.ts): so a place that has no item, and was given out within
 * the last minute, is one of a send that is under way, or has died.
 */
export const MessageTombstone = v.object({
  sequence: v.number(),
  /** As of a message; of a place that a reader has marked, no earlier than that. */
  previous_at: v.number(),
  /** Drawn for the deletion of the message that was there, which recognises itself by it. */
  deletion: v.optional(v.string()),
  deleted_at: v.optional(v.number()),
  /** None of the places from here to there, both included, holds a message, or ever will: see compact-runs.ts. */
  empty_from: v.optional(v.number()),
  empty_to: v.optional(v.number()),
});
export type MessageTombstone = v.InferOutput<typeof MessageTombstone>;

/** A place of the log that is decided: a message, or that there is none. */
export type LogEntry = MessageItem | MessageTombstone;

export const isMessage = (entry: LogEntry): entry is MessageItem => 'id' in entry;

/** The places around an entry that are known to hold no message: of a message none, of a marker at least its own. */
export const getTombstoneRange = (
  entry: LogEntry,
): { rangeStart: number; rangeEnd: number } | undefined =>
  isMessage(entry)
    ? undefined
    : {
        rangeStart: entry.empty_from ?? entry.sequence,
        rangeEnd: entry.empty_to ?? entry.sequence,
      };

export const toLogEntry = (item: Item): LogEntry =>
  'id' in item ? v.parse(MessageItem, item) : v.parse(MessageTombstone, item);

/** What a sender writes. */
export interface MessageContent {
  message: string;
  attachments: Attachment[];
}

/** A message as it is when it has just been sent. */
export const newMessage = (
  position: MessagePosition,
  sentBy: string,
  { message, attachments }: MessageContent,
  previousAt: number,
): MessageItem => ({
  id: messageId(position),
  conversation_id: position.conversationId,
  sequence: position.sequence,
  sent_by: sentBy,
  message,
  attachments: serializeAttachments(attachments),
  reactions: {},
  reaction_count: 0,
  created_at: position.sentAt,
  version: 1,
  previous_at: previousAt,
});

const Attachments = v.array(v.custom<Attachment>((value) => typeof value === 'object'));

/** One map a reaction, sorted by its name, the reactors sorted. */
const toReactions = ({ reactions }: MessageItem): Message['reactions'] =>
  Object.keys(reactions)
    .sort()
    .map((name) => ({ [name]: [...(reactions[name] ?? [])].sort() }));

/**
 * How attachments are stored; none are not. The same ones make the same text in whatever order their fields were given:
 * so a first reply that is given again is the first, and giving back what is there is no change.
 */
export const serializeAttachments = (attachments: Attachment[]): string | undefined =>
  attachments.length > 0 ? JSON.stringify(attachments.map(withSortedFields)) : undefined;

/** The fields that the API knows come first, as its schema has them; the others, and all within them, by their names. */
function withSortedFields({ name, url, type, size, ...others }: Attachment): object {
  const known = { name, url, type, size };
  return { ...known, ...JSON.parse(JSON.stringify(others, (_, value) => sorted(value))) };
}

/** What text, attachments and reactions weigh, in bytes: as the table counts them, and not more than in a reply. */
export const contentBytes = ({ message, attachments = '', reactions }: MessageItem): number =>
  Buffer.byteLength(message) +
  Buffer.byteLength(attachments) +
  Object.entries(reactions).reduce(
    (sum, [name, reactors]) => sum + Buffer.byteLength(name) + [...reactors].join('').length,
    0,
  );

/** The reply: a message with the contact who sent it. */
export function toMessageReply(contact: Contact, item: MessageItem): Message {
  const { id, conversation_id, ...content } = toMessageState(item);
  return { id, conversation_id, contact, ...content };
}

/** The message itself, as a reply shows it. */
export const toMessageState = (item: MessageItem): Omit<Message, 'contact'> => ({
  id: item.id,
  conversation_id: item.conversation_id,
  message: item.message,
  reactions: toReactions(item),
  attachments: item.attachments ? v.parse(Attachments, JSON.parse(item.attachments)) : [],
  read_at: toSecondsOrNull(item.read_at),
  created_at: toSeconds(item.created_at),
  updated_at: toSecondsOrNull(item.updated_at),
});
