import type { PendingFile } from '../../../../client/src/index.ts';
import { FilePreview } from '../../parts/file-preview.tsx';
import { formatBytes } from '../../parts/format.ts';

export const PendingFiles = ({ files }: { files: readonly PendingFile[] }) =>
  files.length === 0 ? null : (
    <ul class="attachments" aria-label="Files">
      {files.map(({ name, type, size, loaded, file }, n) => (
        <li key={n} class="attachment pending-file">
          <FilePreview file={file} type={type} />
          <span class="attachment-text">
            <span class="attachment-name">{name}</span>
            <span class="attachment-about">
              {loaded === size
                ? `${formatBytes(size)} uploaded`
                : `${formatBytes(loaded)} of ${formatBytes(size)}`}
            </span>
            <progress value={loaded} max={size} aria-label={`Upload of ${name}`} />
          </span>
        </li>
      ))}
    </ul>
  );
