import * as v from 'valibot';
import { ApiError, invalidParameter } from '../../api-error.ts';
import type { Caller } from '../../caller.ts';
import { clock, toSeconds } from '../../clock.ts';
import { attachmentPath, ScanStatus } from '../../contract/resources/attachment.ts';
import type { Attachment } from '../../contract/resources/message.ts';
import { retainFile } from '../../files/objects.ts';
import { isDisplayedImage } from '../../files/presign-file.ts';
import { type AttachmentPosition, parseAttachmentId } from '../../ids.ts';
import { lookUpItems, type Write } from '../calls/access.ts';
import { requireWritable } from '../conversations/query/require-writable.ts';
import { attachmentKey } from '../keys/keys.ts';
import { indexes } from '../keys/names.ts';
import { parseAttachment, requirePosition, toFileKey, toThumbnailKey } from './attachment-item.ts';

/** Returns the id of an uploaded attachment; `undefined` for any other attachment. */
export const getUploadId = ({ id }: Attachment): string | undefined =>
  typeof id === 'string' && parseAttachmentId(id) ? id : undefined;

export const getUploadIds = (attachments: readonly Attachment[]): string[] =>
  attachments.flatMap((one) => getUploadId(one) ?? []);

const { partition, sort } = indexes.gsi3;

const unusableRule =
  'must contain only ids of distinct files that you uploaded to this conversation in the last 24 hours and that no message contains';

/** Thrown if an upload changed after it was read, for example because a scan finished. */
export class UploadsChangedError extends Error {}

/**
 * Calls `send` with the attachments in the form that the message stores. If an upload changes
 * before `send` stores the message, reads the uploads again and calls `send` a second time. Callers
 * who cannot send in the conversation get the error of `requireWritable`, which does not reveal
 * whether an upload exists. Throws `parameter_invalid` or `not_uploaded`.
 */
export async function withUploads<Sent>(
  conversationId: string,
  caller: Caller,
  attachments: readonly Attachment[],
  send: (stored: Attachment[]) => Promise<Sent>,
): Promise<Sent> {
  const take = async () => {
    try {
      return await takeUploads(conversationId, caller, attachments);
    } catch (error) {
      await requireWritable(conversationId, caller);
      throw error;
    }
  };
  const attempt = async () => send(await take());
  try {
    return await attempt().catch((error) => {
      if (error instanceof UploadsChangedError) return attempt();
      throw error;
    });
  } catch (error) {
    throw error instanceof UploadsChangedError ? unusableAttachment() : error;
  }
}

/**
 * Checks the uploads of a new message and retains their files. Returns the attachments as the
 * message stores them.
 */
async function takeUploads(
  conversationId: string,
  caller: Caller,
  attachments: readonly Attachment[],
): Promise<Attachment[]> {
  const ids = getUploadIds(attachments);
  if (ids.length === 0) return [...attachments];
  const positions = ids.map(requirePosition);
  const isInConversation = positions.every((one) => one.conversationId === conversationId);
  if (!isInConversation || new Set(ids).size < ids.length) throw unusableAttachment();
  const findItem = await lookUpItems(positions.map(attachmentKey));
  const found = new Map(
    positions.map((position, n) => {
      const item = parseAttachment(findItem(attachmentKey(position)));
      const isUsable = item?.uploaded_by === caller.id && item.message_id === undefined;
      if (!item || !isUsable) throw unusableAttachment();
      const { id, name, type, size, scan_status: status = 'unscanned' } = item;
      return [ids[n], { id, name, type, size, status }];
    }),
  );
  const retained = await Promise.all(
    [...found.values()].map(({ id, type }) => retainUpload(requirePosition(id), type)),
  );
  if (retained.includes(false)) throw new ApiError('not_uploaded', { param: 'attachments' });
  return attachments.map((one) => found.get(getUploadId(one)) ?? one);
}

/**
 * Retains a file and its thumbnail. The thumbnail worker stores the thumbnail before it checks the
 * file, so either this function or the worker retains the thumbnail. Returns false if the file does
 * not exist.
 */
async function retainUpload(position: AttachmentPosition, type: string): Promise<boolean> {
  const isRetained = await retainFile(toFileKey(position));
  if (isRetained && isDisplayedImage(type)) await retainFile(toThumbnailKey(position));
  return isRetained;
}

const unusableAttachment = (): ApiError => invalidParameter('attachments', unusableRule);

/**
 * Returns the writes that assign uploads to a message. Each write requires that the upload is
 * unused and unexpired, belongs to the caller, and has the status that the message stores.
 * Therefore, a scan that finishes later finds the message id. If uploads are not scanned, they have
 * no stored status.
 */
export const toUploadAssignments = (
  attachments: readonly Attachment[],
  messageId: string,
  caller: Caller,
): Write[] =>
  attachments.flatMap((attachment) => {
    const id = getUploadId(attachment);
    if (id === undefined) return [];
    return {
      update: {
        Key: attachmentKey(requirePosition(id)),
        UpdateExpression: `SET message_id = :message REMOVE expires_at, ${partition}, ${sort}`,
        ConditionExpression: [
          'uploaded_by = :caller',
          'attribute_not_exists(message_id)',
          'expires_at > :now',
          attachment.status === 'unscanned'
            ? '(attribute_not_exists(scan_status) OR scan_status = :scan)'
            : 'scan_status = :scan',
        ].join(' AND '),
        ExpressionAttributeValues: {
          ':message': messageId,
          ':caller': caller.id,
          ':now': toSeconds(clock.now()),
          ':scan': attachment.status,
        },
      },
    };
  });

/** Returns an attachment as shown in replies: an upload has a URL and its latest scan status. */
export const toShownAttachment = (attachment: Attachment, scans: Scans): Attachment => {
  const id = getUploadId(attachment);
  if (id === undefined) return attachment;
  const status = scans[id] ?? attachment.status;
  return { ...attachment, url: `${attachmentPath}${id}`, status };
};

/** Malware scan results, by attachment id. */
export const Scans = v.record(v.string(), ScanStatus);
export type Scans = v.InferOutput<typeof Scans>;
