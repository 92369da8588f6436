import type { Attachment } from '../../../../client/src/index.ts';
import { Icon } from '../../parts/icon.tsx';

interface Props {
  attachments: readonly Attachment[];
  onRemove: (attachment: Attachment) => void;
}

/** Attachments of the draft. */
export const DraftAttachments = ({ attachments, onRemove }: Props) =>
  attachments.length === 0 ? null : (
    <ul class="draft-attachments" aria-label="Attachments of this message">
      {attachments.map((attachment, place) => {
        const name = attachment.name || attachment.url || 'Attachment';
        return (
          <li key={place}>
            <Icon name="file" />
            <span>{name}</span>
            <button
              type="button"
              aria-label={`Remove ${name}`}
              onClick={() => onRemove(attachment)}
            >
              <Icon name="close" />
            </button>
          </li>
        );
      })}
    </ul>
  );
