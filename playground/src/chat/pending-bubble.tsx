import type { Chat, Pending } from '../data/chat.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { count } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';

/** A message that the API does not have yet, or has refused. */
export const PendingBubble = ({ chat, pending }: { chat: Chat; pending: Pending }) => {
  const { text, attachments, error } = pending;
  return (
    <li class="group mine">
      <div class="message pending">
        <div class="bubble">
          {attachments.length > 0 && <p class="meta">{count(attachments.length, 'attachment')}</p>}
          <p class="text">{text}</p>
          <p class="meta">
            <Icon name={error === null ? 'clock' : 'warning'} />
            {error === null ? 'Sending' : 'Not sent'}
          </p>
        </div>
      </div>
      {error !== null && (
        <ErrorNote
          what="The message was not sent."
          error={error}
          onRetry={() => chat.sendAgain(pending)}
          onDismiss={() => {
            chat.draft.value = { text, attachments, edits: null };
            chat.drop(pending);
          }}
        />
      )}
    </li>
  );
};
