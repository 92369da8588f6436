import type { Attachment } from '../../../../client/src/index.ts';
import { formatBytes } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';

/** Shows a link to a file, with an image if this server serves the image. */
export function AttachmentLink({ attachment }: { attachment: Attachment }) {
  const name = attachment.name || attachment.url || 'Attachment';
  const isImage = attachment.type?.startsWith('image/') ?? false;
  const preview = isImage ? findOwnImage(attachment) : undefined;
  const parts = [
    attachment.type,
    typeof attachment.size === 'number' && formatBytes(attachment.size),
  ];
  const details = parts.filter(Boolean).join(' · ');
  const content = (
    <>
      {preview !== undefined && (
        <img class="attachment-image" src={preview} alt="" width={480} height={320} />
      )}
      <Icon name={isImage ? 'image' : 'file'} />
      <span class="attachment-text">
        <span class="attachment-name">{name}</span>
        {details !== '' && <span class="attachment-about">{details}</span>}
      </span>
    </>
  );
  return attachment.url ? (
    <a class="attachment" href={attachment.url} target="_blank" rel="noreferrer">
      {content}
    </a>
  ) : (
    <span class="attachment">{content}</span>
  );
}

/**
 * Returns the `preview` or `url` if this server serves it. The content security policy blocks
 * images from other hosts, which would receive the user's IP address.
 */
function findOwnImage({ preview, url }: Attachment): string | undefined {
  const candidates = [preview, url].filter((one) => typeof one === 'string');
  return candidates.find(
    (one) =>
      URL.canParse(one, location.origin) &&
      new URL(one, location.origin).origin === location.origin,
  );
}
