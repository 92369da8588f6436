import type { Message } from '../../../../client/src/index.ts';
import type { MessageActions } from '../message-actions.ts';
import { AttachmentLink } from './attachment-link.tsx';
import { getUploadId, UploadedFile } from './uploaded-file.tsx';

interface Props {
  message: Message;
  actions: MessageActions;
}

export const Attachments = ({ message: { attachments }, actions }: Props) =>
  attachments.length === 0 ? null : (
    <ul class="attachments" aria-label="Attachments">
      {attachments.map((attachment, n) => {
        const id = getUploadId(attachment);
        return (
          <li key={id ?? n}>
            {id === undefined ? (
              <AttachmentLink attachment={attachment} />
            ) : (
              <UploadedFile id={id} attachment={attachment} actions={actions} />
            )}
          </li>
        );
      })}
    </ul>
  );
