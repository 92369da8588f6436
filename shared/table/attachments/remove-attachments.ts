import { removeFile } from '../../files/objects.ts';
import type { AttachmentPosition } from '../../ids.ts';
import { getItem } from '../calls/access.ts';
import { removeItem } from '../calls/remove-items.ts';
import { attachmentKey, type Key, parseAttachmentKey } from '../keys/keys.ts';
import { toFileKey, toThumbnailKey } from './attachment-item.ts';

/**
 * Removes an attachment. Removes the files first, so that the item remains for a retry after a
 * crash.
 */
export async function removeAttachment(position: AttachmentPosition): Promise<void> {
  await removeFileOf(position);
  await removeItem(attachmentKey(position));
}

/** Removes the files of the attachments that the keys identify. Ignores other keys. */
export async function removeFilesOf(keys: readonly Key[]): Promise<void> {
  await Promise.all(keys.flatMap((key) => parseAttachmentKey(key) ?? []).map(removeFileOf));
}

/**
 * Removes the file of an attachment whose item was removed. Returns `kept` if the item exists. Safe
 * to repeat.
 */
export async function removeFileWithoutItem(
  position: AttachmentPosition,
): Promise<'kept' | 'removed'> {
  if (await getItem(attachmentKey(position))) return 'kept';
  await removeFileOf(position);
  return 'removed';
}

/**
 * Removes the file, then its thumbnail. The thumbnail worker stores a thumbnail before it checks
 * the file, so either this function or the worker removes the thumbnail. Does nothing if the stage
 * has no bucket.
 */
async function removeFileOf(position: AttachmentPosition): Promise<void> {
  if (!process.env.FILES_URL) return;
  await removeFile(toFileKey(position));
  await removeFile(toThumbnailKey(position));
}
