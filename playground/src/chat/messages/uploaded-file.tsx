import { useEffect, useState } from 'preact/hooks';
import type { Attachment } from '../../../../client/src/index.ts';
import { isDisplayedImage } from '../../parts/file-preview.tsx';
import { formatBytes } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import type { MessageActions } from '../message-actions.ts';

/** Returns the id of an uploaded file; `undefined` for a link. */
export const getUploadId = ({ id, url }: Attachment): string | undefined =>
  typeof id === 'string' && url === `/v1/attachments/${id}` ? id : undefined;

const statusTexts: Record<string, string> = {
  awaiting: 'Being sent',
  scanning: 'Being scanned for malware',
  clean: 'Scanned',
  unscanned: 'Not scanned',
  infected: 'Contains malware',
};
const servedStatuses = ['awaiting', 'clean', 'unscanned'];

interface Props {
  id: string;
  attachment: Attachment;
  actions: MessageActions;
}

export function UploadedFile({ id, attachment, actions }: Props) {
  const { name, type, size } = attachment;
  const status = String(attachment.status);
  const isServed = servedStatuses.includes(status);
  const isImage = isDisplayedImage(type);
  const isDisplayed = isImage || /^(audio|video)\//.test(type ?? '');
  const image = useImage(isImage && isServed ? id : undefined, actions);
  const details = [type, typeof size === 'number' && formatBytes(size), statusTexts[status]];
  const content = (
    <>
      {image !== null && <img class="attachment-image" src={image} alt="" />}
      <Icon name={status === 'infected' ? 'warning' : isImage ? 'image' : 'file'} />
      <span class="attachment-text">
        <span class="attachment-name">{name}</span>
        <span class="attachment-about">{details.filter(Boolean).join(' · ')}</span>
      </span>
    </>
  );
  return isServed ? (
    <button
      type="button"
      class="attachment"
      title={isDisplayed ? 'Open' : 'Download'}
      data-status={status}
      onClick={() => actions.openFile(id, isDisplayed)}
    >
      {content}
    </button>
  ) : (
    <span class="attachment" data-status={status}>
      {content}
    </span>
  );
}

function useImage(id: string | undefined, actions: MessageActions): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (id !== undefined) actions.loadImage(id).then(setUrl, () => {});
  }, [id]);
  return url;
}
