import { type Signal, useSignal } from '@preact/signals';
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
import { block, getDirectContact, unblock } from './direct-contact.ts';
import { createMessageActions } from './message-actions.ts';
import { MessageList } from './messages/message-list.tsx';
import { PinnedBar } from './pinned-bar.tsx';
import { ReportDialog } from './report-dialog.tsx';

interface Props {
  person: Person;
  chat: Chat;
}

export function ChatPane({ person, chat }: Props) {
  const deleting = useSignal<Message | null>(null);
  const reporting = useSignal<Message | null>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const { status, error, conversation, messages } = chat.snapshot.value;
  const actions = createMessageActions(person, chat, {
    confirmDelete: (message) => {
      deleting.value = message;
    },
    report: (message) => {
      reporting.value = message;
    },
    focusText: () => text.current?.focus(),
  });
  const other = conversation ? getDirectContact(conversation, person.identity.id) : null;
  const isBlocking = other !== null && person.blockList.blocked.value?.has(other);
  if (status === 'gone') {
    return <GoneNote chat={chat} onBack={person.closeChat} />;
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
      {status === 'failed' && <LoadFailure chat={chat} error={error} />}
      {status === 'loading' && messages.length === 0 ? (
        <div class="messages">
          <Skeleton rows={4} />
        </div>
      ) : (
        <MessageList person={person} chat={chat} actions={actions} />
      )}
      {isBlocking && other !== null ? (
        <BlockedNote onUnblock={() => unblock(person, other)} />
      ) : (
        <Composer chat={chat} actions={actions} text={text} onLeave={person.closeChat} />
      )}
      {reporting.value && (
        <ReportDialog
          person={person}
          message={reporting.value}
          {...(other !== null && { onBlock: () => block(person, other) })}
          onClose={() => {
            reporting.value = null;
          }}
        />
      )}
      {deleting.value && <ConfirmDelete message={deleting} onConfirm={actions.remove} />}
    </>
  );
}

interface ConfirmProps {
  message: Signal<Message | null>;
  onConfirm: (message: Message) => void;
}

const ConfirmDelete = ({ message, onConfirm }: ConfirmProps) => (
  <Confirm
    title="Delete this message?"
    text="This deletes the message for all participants, permanently."
    action="Delete"
    onConfirm={() => {
      if (message.value) onConfirm(message.value);
    }}
    onClose={() => {
      message.value = null;
    }}
  />
);

const LoadFailure = ({ chat, error }: { chat: Chat; error: unknown }) => (
  <ErrorNote
    title="The messages were not loaded."
    error={error}
    onRetry={() => {
      chat.store.reload().catch(() => {});
    }}
  />
);

const BlockedNote = ({ onUnblock }: { onUnblock: () => void }) => (
  <p class="blocked-note">
    <Icon name="block" />
    You have blocked this contact.
    <button type="button" class="button" onClick={onUnblock}>
      Unblock
    </button>
  </p>
);

const GoneNote = ({ chat, onBack }: { chat: Chat; onBack: () => void }) => (
  <div class="empty" role="status">
    <Icon name="trash" />
    <p>This conversation was deleted, or you are no longer a member of its group.</p>
    {chat.snapshot.value.pending.map(({ key, message }) => (
      <p key={key} class="unsent">
        Not sent: {message}
        <button type="button" class="link" onClick={() => chat.store.discard(key)}>
          Discard
        </button>
      </p>
    ))}
    <button type="button" class="button" onClick={onBack}>
      Back to the list
    </button>
  </div>
);
