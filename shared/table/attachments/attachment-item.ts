import * as v from 'valibot';
import { clock, toSeconds } from '../../clock.ts';
import type { CreateAttachment } from '../../contract/resources/attachment.ts';
import type { FileDescription } from '../../files/presign-file.ts';
import { type AttachmentPosition, parseAttachmentId } from '../../ids.ts';
import { unsentUploadSeconds } from '../../retention.ts';
import type { Item } from '../calls/access.ts';
import { attachmentKey, type Key } from '../keys/keys.ts';

/** An uploaded attachment, in the partition of its conversation. */
const AttachmentItem = v.object({
  id: v.string(),
  uploaded_by: v.string(),
  name: v.string(),
  type: v.string(),
  size: v.number(),
  /** Message that contains it. */
  message_id: v.optional(v.string()),
  /** Absent once a message contains it. */
  expires_at: v.optional(v.number()),
});
export type AttachmentItem = v.InferOutput<typeof AttachmentItem>;

/** Parses an attachment; `undefined` without one, or if it has expired. */
export function parseAttachment(item: Item | undefined): AttachmentItem | undefined {
  if (!item) return undefined;
  const attachment = v.parse(AttachmentItem, item);
  const { expires_at = Number.POSITIVE_INFINITY } = attachment;
  return expires_at > toSeconds(clock.now()) ? attachment : undefined;
}

export const newAttachment = (
  id: string,
  uploadedBy: string,
  { name, type, size }: Pick<CreateAttachment, 'name' | 'type' | 'size'>,
): Item & Key => ({
  ...attachmentKey(requirePosition(id)),
  ...{ id, uploaded_by: uploadedBy, name, type, size },
  expires_at: toSeconds(clock.now()) + unsentUploadSeconds,
});

/** Returns the key of the file: the conversation's id is its folder. */
export const toFileKey = ({ conversationId, fileId }: AttachmentPosition): string =>
  `${conversationId}/${fileId}`;

export const toFile = ({
  id,
  name,
  type,
  size,
}: Pick<AttachmentItem, 'id' | 'name' | 'type' | 'size'>): FileDescription => ({
  key: toFileKey(requirePosition(id)),
  ...{ name, type, size },
});

export function requirePosition(id: string): AttachmentPosition {
  const position = parseAttachmentId(id);
  if (!position) throw new Error(`Not the id of an attachment: ${id}`);
  return position;
}
