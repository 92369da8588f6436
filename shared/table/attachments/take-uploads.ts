import { ApiError, invalidParameter } from '../../api-error.ts';
import type { Caller } from '../../caller.ts';
import { clock, toSeconds } from '../../clock.ts';
import { attachmentPath } from '../../contract/resources/attachment.ts';
import type { Attachment } from '../../contract/resources/message.ts';
import { retainFile } from '../../files/objects.ts';
import { parseAttachmentId } from '../../ids.ts';
import { lookUpItems, type Write } from '../calls/access.ts';
import { attachmentKey } from '../keys/keys.ts';
import { attachmentSortPrefix } from '../keys/names.ts';
import { parseAttachment, requirePosition, toFileKey } from './attachment-item.ts';

/** Returns the id of an uploaded attachment; `undefined` for one that is kept as given. */
export const getUploadId = ({ id }: Attachment): string | undefined =>
  typeof id === 'string' && parseAttachmentId(id) ? id : undefined;

export const getUploadIds = (attachments: readonly Attachment[]): string[] =>
  attachments.flatMap((one) => getUploadId(one) ?? []);

const unusableRule =
  'must be the id of an attachment that you have uploaded in this conversation within 24 hours, and that no message contains';

/**
 * Checks the uploads among the attachments of a new message, and retains their files. Returns the
 * attachments as they are stored. Without uploads, makes no call. Throws `parameter_invalid` and
 * `not_uploaded`.
 */
export async function takeUploads(
  conversationId: string,
  caller: Caller,
  attachments: readonly Attachment[],
): Promise<Attachment[]> {
  const ids = getUploadIds(attachments);
  if (ids.length === 0) return [...attachments];
  const positions = ids.map(requirePosition);
  const isHere = positions.every((one) => one.conversationId === conversationId);
  if (!isHere || new Set(ids).size < ids.length) throw unusableAttachment();
  const findItem = await lookUpItems(positions.map(attachmentKey));
  const found = new Map(
    positions.map((position, n) => {
      const item = parseAttachment(findItem(attachmentKey(position)));
      const isUsable = item?.uploaded_by === caller.id && item.message_id === undefined;
      if (!item || !isUsable) throw unusableAttachment();
      const { id, name, type, size } = item;
      return [ids[n], { id, name, type, size }];
    }),
  );
  const retained = await Promise.all(positions.map((one) => retainFile(toFileKey(one))));
  if (retained.includes(false)) throw new ApiError('not_uploaded', { param: 'attachments' });
  return attachments.map((one) => found.get(getUploadId(one)) ?? one);
}

export const unusableAttachment = (): ApiError => invalidParameter('attachments', unusableRule);

/** Returns the writes that tie uploads to a message, each on condition that it is still unused. */
export const toTies = (ids: readonly string[], messageId: string, caller: Caller): Write[] =>
  ids.map((id) => ({
    update: {
      Key: attachmentKey(requirePosition(id)),
      UpdateExpression: 'SET message_id = :message REMOVE expires_at',
      ConditionExpression:
        'uploaded_by = :caller AND attribute_not_exists(message_id) AND expires_at > :now',
      ExpressionAttributeValues: {
        ':message': messageId,
        ':caller': caller.id,
        ':now': toSeconds(clock.now()),
      },
    },
  }));

/** Returns an attachment as replies show it. */
export const toShownAttachment = (attachment: Attachment): Attachment => {
  const id = getUploadId(attachment);
  return id === undefined
    ? attachment
    : { ...attachment, url: `${attachmentPath}${id}`, status: 'unscanned' };
};

export const isAttachmentSort = (sk: string): boolean => sk.startsWith(attachmentSortPrefix);
