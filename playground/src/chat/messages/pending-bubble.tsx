import { ErrorNote } from '../../parts/error-note.tsx';
import { formatCount } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import type { Chat, PendingMessage } from '../../state/chat.ts';

/** A message that the API does not have yet, or has refused. */
export const PendingBubble = ({ chat, pending }: { chat: Chat; pending: PendingMessage }) => {
  const { text, attachments, error } = pending;
  return (
    <li class="group mine">
      <div class="message pending">
        <div class="bubble">
          {attachments.length > 0 && (
            <p class="meta">{formatCount(attachments.length, 'attachment')}</p>
          )}
          <p class="text">{text}</p>
          <p class="meta">
            <Icon name={error === null ? 'clock' : 'warning'} />
            {error === null ? 'Sending' : 'Not sent'}
          </p>
        </div>
      </div>
      {error !== null && (
        <ErrorNote
          title="The message was not sent."
          error={error}
          onRetry={() => chat.retry(pending)}
          onDismiss={() => {
            chat.draft.value = { text, attachments, editedMessage: null };
            chat.drop(pending);
          }}
        />
      )}
    </li>
  );
};
