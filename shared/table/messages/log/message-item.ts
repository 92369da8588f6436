import * as v from 'valibot';
import { toSeconds, toSecondsOrNull } from '../../../clock.ts';
import type { Contact } from '../../../contract/resources/contact.ts';
import type { Attachment, Message, SendMessage } from '../../../contract/resources/message.ts';
import { sortFields } from '../../../contract/schema/objects.ts';
import { type MessagePosition, toMessageId } from '../../../ids.ts';
import { getUploadIds, Scans, toShownAttachment } from '../../attachments/take-uploads.ts';
import type { Item } from '../../calls/access.ts';

/** Direction of a read: `older` is toward the first message, `newer` toward the last. */
export type Direction = 'older' | 'newer';

/**
 * A message in a log. Sequence numbers start at 1. If a message was deleted or can no longer be
 * sent, its number has a tombstone instead. A sequence number has no item while its send runs,
 * after its send has crashed, or if compaction removed it. Timestamps are in milliseconds.
 */
export const MessageItem = v.object({
  id: v.string(),
  conversation_id: v.string(),
  sequence: v.number(),
  sent_by: v.string(),
  /**
   * Text. Absent, like `attachments`, if a content item holds the text and the attachments: see
   * content-item.ts.
   */
  message: v.optional(v.string()),
  /** JSON text, so that values are returned exactly as sent. */
  attachments: v.optional(v.string()),
  /**
   * Ids of uploaded attachments, separated by spaces. A string, so that stream filters can match
   * it.
   */
  attachment_ids: v.optional(v.string()),
  /** JSON text with the results, by attachment id, of scans that finished after the send. */
  attachment_scans: v.optional(v.string()),
  content_id: v.optional(v.string()),
  content_bytes: v.optional(v.number()),
  /** Id of the quoted message, which may not exist. */
  reply_to_id: v.optional(v.string()),
  mentions: v.optional(v.array(v.string())),
  /**
   * Reactors by reaction name. Stored as DynamoDB sets to retain reactions that users add
   * concurrently. Sets are never empty.
   */
  reactions: v.record(v.string(), v.set(v.string())),
  /** Number of reactions. Old messages lack the number until a change counts their reactions. */
  reaction_count: v.optional(v.number()),
  read_at: v.optional(v.number()),
  /** Time when a reader blocked by the sender read the message. Shown only to the reader. */
  hidden_read_at: v.optional(v.number()),
  created_at: v.number(),
  updated_at: v.optional(v.number()),
  version: v.number(),
  /** Random id of the latest change, by which a retry detects that an earlier attempt succeeded. */
  change: v.optional(v.string()),
  pinned: v.optional(v.literal(true)),
  /** Reservation time of the preceding sequence number. Shows whether its send may be pending. */
  previous_at: v.number(),
});
export type MessageItem = v.InferOutput<typeof MessageItem>;

export interface StoredContent {
  message: string;
  attachments?: string | undefined;
}
export type MessageWithContent = MessageItem & StoredContent;

/**
 * A tombstone. Permanent, except inside a tombstone range: see compact-tombstone-ranges.ts. If a
 * sequence number without an item was reserved in the last minute, its send may still be in
 * progress.
 */
export const MessageTombstone = v.object({
  sequence: v.number(),
  /** Same as `previous_at` of a message, but an upper bound if the tombstone fills a gap. */
  previous_at: v.number(),
  /** Random id of the deletion, used like a message's `change`. */
  deletion: v.optional(v.string()),
  deleted_at: v.optional(v.number()),
  /** Ids of uploaded attachments whose files still exist, separated by spaces. */
  attachment_ids: v.optional(v.string()),
  /** Bounds (inclusive) of the tombstone range, which contains no message. */
  empty_from: v.optional(v.number()),
  empty_to: v.optional(v.number()),
});
export type MessageTombstone = v.InferOutput<typeof MessageTombstone>;

export type LogEntry = MessageItem | MessageTombstone;

/**
 * Returns the version of a message for a viewer: the sender (`isSender`) or another member. The
 * version increases with each change visible to the viewer.
 */
export const getMessageVersion = (
  { version, hidden_read_at }: Pick<MessageItem, 'version' | 'hidden_read_at'>,
  { isSender }: { isSender: boolean },
): number => version + (!isSender && hidden_read_at !== undefined ? 1 : 0);

export const isMessage = (entry: LogEntry): entry is MessageItem => 'id' in entry;

/** Returns a tombstone's range, bounds included; `undefined` for a message. */
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

/** Parses a log entry. Returns `undefined` if the entry is missing or a tombstone. */
export const parseMessage = (item: Item | undefined): MessageItem | undefined =>
  item && 'id' in item ? v.parse(MessageItem, item) : undefined;

export type MessageContent = Omit<
  v.InferOutput<typeof SendMessage>,
  'conversation_id' | 'attachments'
> & { attachments: Attachment[] };

export const newMessage = (
  position: MessagePosition,
  sentBy: string,
  { message, attachments, reply_to_id, mentions = [] }: MessageContent,
  previousAt: number,
): MessageWithContent => ({
  id: toMessageId(position),
  conversation_id: position.conversationId,
  sequence: position.sequence,
  sent_by: sentBy,
  message,
  attachments: serializeAttachments(attachments),
  attachment_ids: getUploadIds(attachments).join(' ') || undefined,
  reply_to_id,
  mentions: mentions.length > 0 ? mentions : undefined,
  reactions: {},
  reaction_count: 0,
  created_at: position.sentAt,
  version: 1,
  previous_at: previousAt,
});

const Attachments = v.array(v.custom<Attachment>((value) => typeof value === 'object'));

const toReactions = ({ reactions }: MessageItem): Message['reactions'] =>
  Object.keys(reactions)
    .sort()
    .map((name) => ({ [name]: [...(reactions[name] ?? [])].sort() }));

/** Serializes attachments in a fixed field order, so that a replayed reply equals the first one. */
export const serializeAttachments = (attachments: Attachment[]): string | undefined =>
  attachments.length > 0 ? JSON.stringify(attachments.map(withSortedFields)) : undefined;

/** Sorts fields: API schema fields first, in schema order, then other fields by name. */
function withSortedFields({ name, url, type, size, ...others }: Attachment): object {
  const known = { name, url, type, size };
  return { ...known, ...JSON.parse(JSON.stringify(others, (_, value) => sortFields(value))) };
}

/** Returns the attachments as stored, without later scan results. */
export const parseAttachments = ({ attachments }: Pick<StoredContent, 'attachments'>) =>
  attachments ? v.parse(Attachments, JSON.parse(attachments)) : [];

export const parseScans = ({ attachment_scans }: Pick<MessageItem, 'attachment_scans'>): Scans =>
  attachment_scans ? v.parse(Scans, JSON.parse(attachment_scans)) : {};

function toShownAttachments(item: MessageWithContent): Attachment[] {
  const scans = parseScans(item);
  return parseAttachments(item).map((one) => toShownAttachment(one, scans));
}

/** Returns the number of UTF-8 bytes of the text and attachments. */
export const countContentBytes = ({
  message = '',
  attachments = '',
}: Pick<MessageItem, 'message' | 'attachments'>): number =>
  Buffer.byteLength(message) + Buffer.byteLength(attachments);

/** Returns the number of UTF-8 bytes of the reaction names and of the reactors' ids. */
export const countReactionBytes = ({ reactions }: MessageItem): number =>
  Object.entries(reactions).reduce(
    (sum, [name, reactors]) => sum + Buffer.byteLength(name) + [...reactors].join('').length,
    0,
  );

/** Returns the stored bytes of content and reactions: a lower bound on their size in a reply. */
export const countReplyBytes = (message: MessageItem): number =>
  (message.content_bytes ?? countContentBytes(message)) + countReactionBytes(message);

/** Returns the reply for a message as the viewer sees it. */
export function toMessageReply(
  viewerId: string,
  contact: Contact,
  item: MessageWithContent,
): Message {
  const { id, conversation_id, ...content } = toMessageState(item, viewerId);
  return { id, conversation_id, contact, ...content };
}

export const toMessageState = (
  item: MessageWithContent,
  viewerId: string,
): Omit<Message, 'contact'> => ({
  id: item.id,
  conversation_id: item.conversation_id,
  message: item.message,
  reactions: toReactions(item),
  attachments: toShownAttachments(item),
  read_at: toSecondsOrNull(
    item.read_at ?? (item.sent_by === viewerId ? undefined : item.hidden_read_at),
  ),
  created_at: toSeconds(item.created_at),
  updated_at: toSecondsOrNull(item.updated_at),
});
