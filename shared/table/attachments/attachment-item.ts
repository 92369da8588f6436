import * as v from 'valibot';
import { clock, toSeconds } from '../../clock.ts';
import { type CreateAttachment, ScanStatus } from '../../contract/resources/attachment.ts';
import { thumbnailType } from '../../contract/schema/thumbnail-limits.ts';
import type { FileDescription } from '../../files/presign-file.ts';
import { type AttachmentPosition, attachmentCreatedAt, parseAttachmentId } from '../../ids.ts';
import { unsentUploadSeconds } from '../../retention.ts';
import type { Item } from '../calls/access.ts';
import { attachmentKey, type Key, toUnsentKeys } from '../keys/keys.ts';
import { filePrefix, thumbnailPrefix } from '../keys/names.ts';

/** An uploaded attachment, in the partition of its conversation. */
export const AttachmentItem = v.object({
  id: v.string(),
  uploaded_by: v.string(),
  name: v.string(),
  type: v.string(),
  size: v.number(),
  /** Scan status; absent if the stage did not scan files when the attachment was created. */
  scan_status: v.optional(ScanStatus),
  message_id: v.optional(v.string()),
  /** Unix seconds. Absent once a message contains the attachment. */
  expires_at: v.optional(v.number()),
});
export type AttachmentItem = v.InferOutput<typeof AttachmentItem>;

/** Parses an attachment item. Returns `undefined` if the item is missing or has expired. */
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
): Item & Key => {
  const expires_at = toSeconds(clock.now()) + unsentUploadSeconds;
  return {
    ...attachmentKey(requirePosition(id)),
    ...{ id, uploaded_by: uploadedBy, name, type, size, expires_at },
    ...(process.env.SCANS_FILES === 'true' && { scan_status: 'scanning' satisfies ScanStatus }),
    ...toUnsentKeys(id, expires_at),
  };
};

/** Milliseconds after which a scan is overdue. GuardDuty usually scans a file in seconds. */
const overdueMilliseconds = 30 * 60_000;

/** Reports whether the scan of a sent file is overdue. */
export const isScanOverdue = ({ id, scan_status, message_id }: AttachmentItem): boolean =>
  scan_status === 'scanning' &&
  message_id !== undefined &&
  clock.now() - attachmentCreatedAt(requirePosition(id)) > overdueMilliseconds;

/** Returns the key of the file, in the folder of its conversation. */
export const toFileKey = ({ conversationId, fileId }: AttachmentPosition): string =>
  `${filePrefix}${conversationId}/${fileId}`;

/** Returns the key of the thumbnail, which only images have. */
export const toThumbnailKey = ({ conversationId, fileId }: AttachmentPosition): string =>
  `${thumbnailPrefix}${conversationId}/${fileId}`;

/**
 * Parses the key of a file or, given the thumbnail prefix, of a thumbnail. Returns `undefined` for
 * other keys.
 */
export const parseFileKey = (key: string, prefix = filePrefix): AttachmentPosition | undefined =>
  key.startsWith(prefix) ? parseAttachmentId(key.slice(prefix.length).replace('/', '')) : undefined;

export const toFile = ({
  id,
  name,
  type,
  size,
}: Pick<AttachmentItem, 'id' | 'name' | 'type' | 'size'>): FileDescription => ({
  key: toFileKey(requirePosition(id)),
  ...{ name, type, size },
});

/**
 * Returns the file description of the thumbnail. The thumbnail's type usually differs from the
 * image's.
 */
export const toThumbnail = ({ id, name }: Pick<AttachmentItem, 'id' | 'name'>) => ({
  key: toThumbnailKey(requirePosition(id)),
  name: `${name}.webp`,
  type: thumbnailType,
});

export function requirePosition(id: string): AttachmentPosition {
  const position = parseAttachmentId(id);
  if (!position) throw new Error(`'${id}' is not the id of an attachment.`);
  return position;
}
