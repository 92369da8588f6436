import * as v from 'valibot';
import type { NewAttachment } from '../../../shared/contract/resources/attachment.ts';
import { parseAttachmentId } from '../../../shared/ids.ts';
import type { AcceptedState } from '../run/accepted-state.ts';
import type { Person } from '../run/person.ts';

/** Records a created upload, whose file is not stored yet. Ignores replayed replies. */
export function recordUpload(
  { id, name, type, size, url }: NewAttachment,
  { id: uploaded_by }: Person,
  { uploads }: AcceptedState,
): void {
  if (uploads.has(id)) return;
  const conversation_id = parseAttachmentId(id)?.conversationId ?? '';
  const shown = { id, name, type, size, url };
  const unknown = { content: undefined, message_id: undefined };
  uploads.set(id, { id, conversation_id, uploaded_by, shown, ...unknown });
}

const Uploaded = v.object({
  id: v.pipe(
    v.string(),
    v.check((id) => !!parseAttachmentId(id)),
  ),
});

export const getUploadId = (attachment: unknown): string | undefined => {
  const { success, output } = v.safeParse(Uploaded, attachment);
  return success ? output.id : undefined;
};

export function recordSend(
  { id, attachments }: { id: string; attachments: readonly unknown[] },
  { uploads }: AcceptedState,
): void {
  for (const attachment of attachments) {
    const upload = uploads.get(getUploadId(attachment) ?? '');
    if (upload) upload.message_id = id;
  }
}
