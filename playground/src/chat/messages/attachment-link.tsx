import type { Attachment } from '../../../../client/src/index.ts';
import { formatBytes } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';

/** A file that is stored elsewhere. */
export function AttachmentLink({ attachment }: { attachment: Attachment }) {
  const name = attachment.name || attachment.url || 'Attachment';
  const facts = [
    attachment.type,
    typeof attachment.size === 'number' && formatBytes(attachment.size),
  ];
  const about = facts.filter(Boolean).join(' · ');
  const inside = (
    <>
      <Icon name="file" />
      <span class="attachment-text">
        <span class="attachment-name">{name}</span>
        {about !== '' && <span class="attachment-about">{about}</span>}
      </span>
    </>
  );
  return attachment.url ? (
    <a class="attachment" href={attachment.url} target="_blank" rel="noreferrer">
      {inside}
    </a>
  ) : (
    <span class="attachment">{inside}</span>
  );
}
