import type { PendingMessage } from '../../../../client/src/index.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { formatCount } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { type Chat, emptyDraft } from '../../state/chat.ts';
import { PendingFiles } from './pending-files.tsx';

export const PendingBubble = ({ chat, pending }: { chat: Chat; pending: PendingMessage }) => {
  const { key, message: text, attachments, files, status, error, attemptedAt } = pending;
  const isFailed = status === 'failed';
  const canCancel = files.length > 0 && !isFailed && attemptedAt === null;
  return (
    <li class="group mine">
      <div class="message pending">
        <div class="bubble">
          {attachments.length > 0 && (
            <p class="meta">{formatCount(attachments.length, 'attachment')}</p>
          )}
          <PendingFiles files={files} />
          {text && <p class="text">{text}</p>}
          <p class="meta">
            <Icon name={isFailed ? 'warning' : 'clock'} />
            {isFailed ? 'Not sent' : 'Sending'}
            {canCancel && (
              <button type="button" class="link" onClick={() => chat.store.discard(key)}>
                Cancel
              </button>
            )}
          </p>
        </div>
      </div>
      {isFailed && (
        <ErrorNote
          title="The message was not sent."
          error={error}
          onRetry={() => chat.store.retry(key)}
          onDismiss={() => {
            const restoredFiles = files.flatMap(({ file, name, type }) =>
              file ? new File([file], name, { type }) : [],
            );
            chat.draft.value = { ...emptyDraft, text, attachments, files: restoredFiles };
            chat.store.discard(key);
          }}
        />
      )}
    </li>
  );
};
