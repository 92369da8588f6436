import { clock, toSeconds } from '../../shared/clock.ts';
import { retrieveAttachment } from '../../shared/contract/operations.ts';
import { presignDownload } from '../../shared/files/presign-file.ts';
import { serve } from '../../shared/http/serve.ts';
import { toFile } from '../../shared/table/attachments/attachment-item.ts';
import { getAttachment } from '../../shared/table/messages/query/get-attachment.ts';

export const handler = serve(retrieveAttachment, async ({ caller, path, query }) => {
  const attachment = await getAttachment(path.attachment_id, caller);
  const { url, seconds } = await presignDownload(toFile(attachment));
  const expires_at = toSeconds(clock.now()) + seconds;
  return { reply: { url, expires_at }, redirects: query.redirect };
});
