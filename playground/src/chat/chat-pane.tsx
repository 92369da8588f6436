import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Message } from '../../../client/src/index.ts';
import { Confirm } from '../parts/confirm.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Icon } from '../parts/icon.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import type { Chat } from '../state/chat.ts';
import type { Person } from '../state/person.ts';
import { ChatHead } from './chat-head.tsx';
import { Composer } from './composer/composer.tsx';
import { createMessageActions } from './message-actions.ts';
import { MessageList } from './messages/message-list.tsx';
import { PinnedBar } from './pinned-bar.tsx';

interface Props {
  person: Person;
  chat: Chat;
}

/** One conversation: its header, messages and composer. */
export function ChatPane({ person, chat }: Props) {
  const deleting = useSignal<Message | null>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const { status, error, conversation, messages } = chat.snapshot.value;
  const actions = createMessageActions(person, chat, {
    confirmDelete: (message) => {
      deleting.value = message;
    },
    focusText: () => text.current?.focus(),
  });
  if (status === 'gone') {
    return <DeletedNote onBack={person.closeChat} />;
  }
  return (
    <>
      <ChatHead person={person} chat={chat} conversation={conversation} />
      {conversation?.pinned_message_id && (
        <PinnedBar
          person={person}
          conversationId={conversation.id}
          messageId={conversation.pinned_message_id}
          messages={messages}
          isReady={status === 'ready'}
        />
      )}
      {status === 'failed' && (
        <ErrorNote
          title="The messages were not loaded."
          error={error}
          onRetry={() => {
            chat.store.reload().catch(() => {});
          }}
        />
      )}
      {status === 'loading' && messages.length === 0 ? (
        <div class="messages">
          <Skeleton rows={4} />
        </div>
      ) : (
        <MessageList person={person} chat={chat} actions={actions} />
      )}
      <Composer chat={chat} actions={actions} text={text} onLeave={person.closeChat} />
      {deleting.value && (
        <Confirm
          title="Delete this message?"
          text="This deletes it for all participants, permanently."
          action="Delete"
          onConfirm={() => {
            if (deleting.value) actions.remove(deleting.value);
          }}
          onClose={() => {
            deleting.value = null;
          }}
        />
      )}
    </>
  );
}

const DeletedNote = ({ onBack }: { onBack: () => void }) => (
  <div class="empty">
    <Icon name="trash" />
    <p>This conversation was deleted.</p>
    <button type="button" class="button" onClick={onBack}>
      Back to the list
    </button>
  </div>
);
