import { getRandomValues } from 'node:crypto';
import { userGroupPrefix } from './contract/schema/field-types.ts';

/**
 * Ids are fixed-width, upper-case Crockford base 32. They are URL-safe. Ids of messages and
 * attachments sort by conversation and then by creation time. Other ids sort by creation time.
 * - conversation, 26 characters: milliseconds (10), randomness (16) — a ULID
 * - message, 44 characters: conversation (26), sequence number (8), milliseconds (10)
 * - user group, 30 characters: a prefix (4), then a ULID
 * - uploaded attachment, 52 characters: conversation (26), then a ULID
 *
 * A message id contains the message's location and time, so no index is needed to find the message,
 * and a cursor stays valid after the message is deleted. Ids are opaque to clients.
 */
export const idAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeWidth = 10;
const sequenceWidth = 8;
const conversationWidth = 26;

/**
 * Random bytes that affect behavior. Tests replace them. Pauses and `randomUUID` use other sources
 * of randomness.
 */
export const random = {
  bytes: (count: number): Uint8Array => getRandomValues(new Uint8Array(count)),
  /** Returns true in one of `count` calls on average; `count` is a power of two, at most 256. */
  oneIn: (count: number): boolean => (random.bytes(1)[0] ?? 0) % count === 0,
};

export interface MessagePosition {
  conversationId: string;
  /** Sequence number in the conversation, from 1. */
  sequence: number;
  /** Milliseconds since 1970; never decreases within a conversation. */
  sentAt: number;
}

export const newConversationId = (now: number): string =>
  encode(now, timeWidth) +
  Array.from(random.bytes(conversationWidth - timeWidth), (byte) => idAlphabet[byte % 32]).join('');

export const toMessageId = ({ conversationId, sequence, sentAt }: MessagePosition): string =>
  conversationId + encode(sequence, sequenceWidth) + encode(sentAt, timeWidth);

/** Returns the location encoded in a message id; `undefined` for other ids. */
export function parseMessageId(id: string): MessagePosition | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{43}$/.test(id)) return undefined;
  const timeStart = conversationWidth + sequenceWidth;
  return {
    conversationId: id.slice(0, conversationWidth),
    sequence: decode(id.slice(conversationWidth, timeStart)),
    sentAt: decode(id.slice(timeStart)),
  };
}

export interface AttachmentPosition {
  conversationId: string;
  /** Distinguishes the attachments of a conversation. */
  fileId: string;
}

export const newAttachmentId = (conversationId: string, now: number): string =>
  conversationId + newConversationId(now);

/** Returns the location encoded in the id of an uploaded attachment; `undefined` for other ids. */
export function parseAttachmentId(id: string): AttachmentPosition | undefined {
  const conversationId = id.slice(0, conversationWidth);
  const fileId = id.slice(conversationWidth);
  return isConversationId(conversationId) && isConversationId(fileId)
    ? { conversationId, fileId }
    : undefined;
}

/** Returns the creation time encoded in a conversation id, in milliseconds. */
export const conversationCreatedAt = (id: string): number => decode(id.slice(0, timeWidth));

/** Returns the creation time encoded in the id of an attachment, in milliseconds. */
export const attachmentCreatedAt = ({ fileId }: AttachmentPosition): number =>
  conversationCreatedAt(fileId);

/** Ids of reports and webhook endpoints have the form of conversation ids. */
export const newReportId = newConversationId;
export const newEndpointId = newConversationId;
export const reportCreatedAt = conversationCreatedAt;

export const newGroupId = (now: number): string => userGroupPrefix + newConversationId(now);
export const groupCreatedAt = (id: string): number =>
  conversationCreatedAt(id.slice(userGroupPrefix.length));
/** Reports whether a group id has the prefix of groups that users create. */
export const isUserGroup = (groupId: string): boolean => groupId.startsWith(userGroupPrefix);

/** Reports whether an id has the form of a user group's id: the prefix, then a ULID. */
export const isUserGroupId = (id: string): boolean =>
  isUserGroup(id) && isConversationId(id.slice(userGroupPrefix.length));

export const isConversationId = (id: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id);

function encode(value: number, width: number): string {
  let digits = '';
  for (let rest = value; digits.length < width; rest = Math.floor(rest / 32)) {
    digits = idAlphabet.charAt(rest % 32) + digits;
  }
  return digits;
}

const decode = (digits: string): number =>
  [...digits].reduce((value, digit) => value * 32 + idAlphabet.indexOf(digit), 0);
