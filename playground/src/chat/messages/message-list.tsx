import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { IconButton } from '../../parts/icon-button.tsx';
import { moveFocus } from '../../parts/move-focus.ts';
import type { Chat } from '../../state/chat.ts';
import type { Person } from '../../state/person.ts';
import type { MessageActions } from '../message-actions.ts';
import { Announcer } from './announcer.tsx';
import { MessageGroup } from './message-group.tsx';
import { groupMessages } from './message-groups.ts';
import { PendingBubble } from './pending-bubble.tsx';
import { SeenNote } from './seen-note.tsx';
import { useListEnd } from './use-list-end.ts';

interface Props {
  person: Person;
  chat: Chat;
  actions: MessageActions;
}

/** Distance from the start, in CSS pixels, within which the list loads older messages. */
const nearTop = 120;

/**
 * Shows the messages, oldest first. Scrolls to new messages if the list is near its end, and loads
 * older messages if the list is near its start.
 */
export function MessageList({ person, chat, actions }: Props) {
  const { messages, hasMore, conversation } = chat.snapshot.value;
  const focused = useSignal<string | null>(null);
  const list = useListEnd(chat, actions.isMine);
  const newest = messages[0]?.id;

  // Scroll to the message that the user has just sent.
  const lastPendingKey = chat.snapshot.value.pending.at(-1)?.key;
  useEffect(() => {
    if (lastPendingKey !== undefined) list.scrollToEnd();
  }, [lastPendingKey]);

  const { isLoadingOlder, loadOlder } = useOlderMessages(chat);
  const onScroll = ({ currentTarget: box }: { currentTarget: HTMLDivElement }) => {
    list.onScroll();
    if (box.scrollHeight - box.clientHeight + box.scrollTop < nearTop) loadOlder();
  };

  return (
    <div class="messages-box">
      <div class="messages" ref={list.scroller} onScroll={onScroll}>
        <div class="messages-inner" ref={list.content}>
          {hasMore && <OlderButton isLoading={isLoadingOlder.value} onClick={loadOlder} />}
          {messages.length === 0 && chat.snapshot.value.pending.length === 0 && (
            <p class="empty-chat">No messages yet. Say hello.</p>
          )}
          <ol
            class="groups"
            aria-label="Messages"
            onKeyDown={(event) => moveFocus(event, '.message')}
          >
            {groupMessages(messages).map(({ key, day, messages: groupedMessages }) => (
              <MessageGroup
                key={key}
                messages={groupedMessages}
                day={day}
                conversation={conversation}
                me={person.identity.id}
                actions={actions}
                focused={focused}
                newest={newest}
              />
            ))}
          </ol>
          <SeenNote chat={chat} me={person.identity.id} newest={messages[0]} />
          <PendingList chat={chat} />
          <div class="list-end" ref={list.end} />
        </div>
      </div>
      {!list.isNearEnd && <ToEnd newCount={list.newCount} onClick={list.scrollToEnd} />}
      <Announcer messages={messages} isMine={actions.isMine} />
    </div>
  );
}

function useOlderMessages(chat: Chat) {
  const isLoadingOlder = useSignal(false);
  const loadOlder = () => {
    if (isLoadingOlder.value || !chat.snapshot.peek().hasMore) return;
    isLoadingOlder.value = true;
    chat.store
      .loadOlder()
      .catch(() => {})
      .finally(() => {
        isLoadingOlder.value = false;
      });
  };
  return { isLoadingOlder, loadOlder };
}

const ToEnd = ({ newCount, onClick }: { newCount: number; onClick: () => void }) =>
  newCount === 0 ? (
    <IconButton icon="down" label="Go to the newest message" class="to-end" onClick={onClick} />
  ) : (
    <button type="button" class="button to-end new-count" onClick={onClick}>
      {newCount === 1 ? '1 new message' : `${newCount} new messages`}
    </button>
  );

const OlderButton = ({ isLoading, onClick }: { isLoading: boolean; onClick: () => void }) => (
  <button type="button" class="button more" disabled={isLoading} onClick={onClick}>
    {isLoading ? 'Loading…' : 'Earlier messages'}
  </button>
);

const PendingList = ({ chat }: { chat: Chat }) => {
  const { pending } = chat.snapshot.value;
  if (pending.length === 0) return null;
  return (
    <ul class="groups" aria-label="Sending">
      {pending.map((one) => (
        <PendingBubble key={one.key} chat={chat} pending={one} />
      ))}
    </ul>
  );
};
