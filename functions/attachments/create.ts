import { ApiError, invalidParameter } from '../../shared/api-error.ts';
import { clock, toSeconds } from '../../shared/clock.ts';
import type { OperationResult } from '../../shared/contract/operation.ts';
import { createAttachment } from '../../shared/contract/operations.ts';
import {
  attachmentPath,
  type CreateAttachment,
  type NewAttachment,
} from '../../shared/contract/resources/attachment.ts';
import { presignUpload } from '../../shared/files/presign-file.ts';
import { serve } from '../../shared/http/serve.ts';
import { newAttachmentId } from '../../shared/ids.ts';
import { newAttachment, toFile } from '../../shared/table/attachments/attachment-item.ts';
import { toUploadCount } from '../../shared/table/attachments/count-upload.ts';
import { touchContact } from '../../shared/table/contacts.ts';
import { requireWritable } from '../../shared/table/conversations/query/require-writable.ts';
import { withIdempotency } from '../../shared/table/idempotency.ts';

export const handler = serve(createAttachment, ({ caller, body, idempotencyKey }) =>
  withIdempotency(idempotencyKey, caller, {
    replay: ({ made }) => toResult(made, body),
    create: async (commit) => {
      requireAcceptedType(body.type);
      await requireWritable(body.conversation_id, caller);
      const contact = await touchContact(caller);
      const id = newAttachmentId(body.conversation_id, clock.now());
      const writes = [
        { put: newAttachment(id, caller.id, body) },
        toUploadCount(caller.id, body.size),
      ];
      const { done } = await commit({ id, writes }, contact);
      if (!done) throw new ApiError('uploads_exceeded');
      return toResult(id, body);
    },
  }),
);

/** Throws `parameter_invalid` if the stage does not accept the media type. */
function requireAcceptedType(type: string): void {
  const accepted = (process.env.FILE_TYPES ?? '*/*').split(',');
  const [kind] = type.split('/');
  if (['*/*', `${kind}/*`, type].some((one) => accepted.includes(one))) return;
  throw invalidParameter('type', `must be one of ${accepted.join(', ')}`);
}

async function toResult(
  id: string,
  body: CreateAttachment,
): Promise<OperationResult<NewAttachment>> {
  const { name, type, size, sha256 } = body;
  const { url, headers, seconds } = await presignUpload(toFile({ id, name, type, size }), sha256);
  const expires_at = toSeconds(clock.now()) + seconds;
  return {
    reply: {
      ...{ id, name, type, size },
      url: `${attachmentPath}${id}`,
      status: 'awaiting',
      upload: { method: 'PUT', url, headers, expires_at },
    },
  };
}
