import type { ComponentChildren } from 'preact';
import type { Attachment } from '../../../../client/src/index.ts';
import { FilePreview } from '../../parts/file-preview.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Draft } from '../../state/chat.ts';

interface Props {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}

export const DraftAttachments = ({ draft: { attachments, files }, onChange }: Props) =>
  attachments.length + files.length === 0 ? null : (
    <ul class="draft-attachments" aria-label="Attachments of this message">
      {attachments.map((one, n) => (
        <Item
          key={n}
          name={toName(one)}
          onRemove={() => onChange({ attachments: attachments.filter((other) => other !== one) })}
        >
          <Icon name="file" />
        </Item>
      ))}
      {files.map((one, n) => (
        <Item
          key={`file ${n}`}
          name={one.name}
          onRemove={() => onChange({ files: files.filter((other) => other !== one) })}
        >
          <FilePreview file={one} type={one.type} />
        </Item>
      ))}
    </ul>
  );

const toName = ({ name, url }: Attachment) => name || url || 'Attachment';

interface ItemProps {
  name: string;
  onRemove: () => void;
  children: ComponentChildren;
}

const Item = ({ name, onRemove, children }: ItemProps) => (
  <li>
    {children}
    <span>{name}</span>
    <button type="button" aria-label={`Remove ${name}`} onClick={onRemove}>
      <Icon name="close" />
    </button>
  </li>
);
