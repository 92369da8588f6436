import type { PendingMessage } from '../../../../client/src/index.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { formatCount } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { type Chat, emptyDraft } from '../../state/chat.ts';

/** Shows a message that is not sent yet, or was rejected. */
export const PendingBubble = ({ chat, pending }: { chat: Chat; pending: PendingMessage }) => {
  const { key, message: text, attachments, status, error } = pending;
  const isFailed = status === 'failed';
  return (
    <li class="group mine">
      <div class="message pending">
        <div class="bubble">
          {attachments.length > 0 && (
            <p class="meta">{formatCount(attachments.length, 'attachment')}</p>
          )}
          {text && <p class="text">{text}</p>}
          <p class="meta">
            <Icon name={isFailed ? 'warning' : 'clock'} />
            {isFailed ? 'Not sent' : 'Sending'}
          </p>
        </div>
      </div>
      {isFailed && (
        <ErrorNote
          title="The message was not sent."
          error={error}
          onRetry={() => chat.store.retry(key)}
          onDismiss={() => {
            chat.draft.value = { ...emptyDraft, text, attachments };
            chat.store.discard(key);
          }}
        />
      )}
    </li>
  );
};
