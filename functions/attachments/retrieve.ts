import { ApiError, invalidParameter } from '../../shared/api-error.ts';
import { clock, toSeconds } from '../../shared/clock.ts';
import { retrieveAttachment } from '../../shared/contract/operations.ts';
import { thumbnailLimits } from '../../shared/contract/schema/thumbnail-limits.ts';
import { findFileType } from '../../shared/files/objects.ts';
import { isDisplayedImage, presignDownload } from '../../shared/files/presign-file.ts';
import { serve } from '../../shared/http/serve.ts';
import { recordOverdueScan } from '../../shared/log/invocation.ts';
import {
  type AttachmentItem,
  isScanOverdue,
  toFile,
  toThumbnail,
} from '../../shared/table/attachments/attachment-item.ts';
import { getAttachment } from '../../shared/table/messages/query/get-attachment.ts';

export const handler = serve(retrieveAttachment, async ({ caller, path, query }) => {
  const attachment = await getAttachment(path.attachment_id, caller);
  requireServable(attachment);
  const { url, seconds } = await presignDownload(
    query.size === undefined ? toFile(attachment) : await findThumbnail(attachment),
  );
  const expires_at = toSeconds(clock.now()) + seconds;
  return { reply: { url, expires_at }, redirects: query.redirect };
});

/**
 * Returns the thumbnail of an image, or the image itself if there is no thumbnail. Throws
 * `parameter_invalid` if the file is not an image that browsers display.
 */
async function findThumbnail(attachment: AttachmentItem) {
  if (!isDisplayedImage(attachment.type)) {
    throw invalidParameter('size', `applies only to ${thumbnailLimits.types.join(', ')}`);
  }
  const thumbnail = toThumbnail(attachment);
  return (await findFileType(thumbnail.key)) === undefined ? toFile(attachment) : thumbnail;
}

/** Throws `infected` or `not_scanned` for a file that the stage does not serve. */
function requireServable(attachment: AttachmentItem): void {
  const { scan_status: scan = 'unscanned' } = attachment;
  if (scan === 'infected') throw new ApiError('infected', { param: 'attachment_id' });
  if (scan === 'clean') return;
  if (isScanOverdue(attachment)) recordOverdueScan();
  const isServed = scan === 'unscanned' && process.env.SERVES_UNSCANNED === 'true';
  if (!isServed) throw new ApiError('not_scanned', { param: 'attachment_id' });
}
