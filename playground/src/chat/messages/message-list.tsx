import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { getContactName } from '../../inbox/display-names.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { moveFocus } from '../../parts/move-focus.ts';
import type { Chat } from '../../state/chat.ts';
import type { Person } from '../../state/person.ts';
import type { MessageActions } from '../message-actions.ts';
import { Announcer } from './announcer.tsx';
import { MessageBubble } from './message-bubble.tsx';
import { groupMessages } from './message-groups.ts';
import { PendingBubble } from './pending-bubble.tsx';
import { useListEnd } from './use-list-end.ts';

interface Props {
  person: Person;
  chat: Chat;
  actions: MessageActions;
}

/** Distance from the oldest loaded message, in CSS pixels, at which older ones are loaded. */
const nearTop = 120;

/**
 * Shows the messages, oldest first. Follows new messages near its end, and loads older ones near
 * its beginning.
 */
export function MessageList({ person, chat, actions }: Props) {
  const { messages, hasMore, conversation } = chat.snapshot.value;
  const focused = useSignal<string | null>(null);
  const isLoadingOlder = useSignal(false);
  const list = useListEnd(chat, actions.isMine);
  const newest = messages[0]?.id;

  // The user's own new message is shown.
  const written = chat.snapshot.value.pending.at(-1)?.key;
  useEffect(() => {
    if (written !== undefined) list.scrollToEnd();
  }, [written]);

  const loadOlder = () => {
    if (isLoadingOlder.value || !hasMore) return;
    isLoadingOlder.value = true;
    chat.store
      .loadOlder()
      .catch(() => {})
      .finally(() => {
        isLoadingOlder.value = false;
      });
  };
  const onScroll = ({ currentTarget: box }: { currentTarget: HTMLDivElement }) => {
    list.onScroll();
    if (box.scrollHeight - box.clientHeight + box.scrollTop < nearTop) loadOlder();
  };

  return (
    <div class="messages-box">
      <div class="messages" ref={list.scroller} onScroll={onScroll}>
        <div class="messages-inner" ref={list.content}>
          {hasMore && (
            <button
              type="button"
              class="button more"
              disabled={isLoadingOlder.value}
              onClick={loadOlder}
            >
              {isLoadingOlder.value ? 'Loading…' : 'Earlier messages'}
            </button>
          )}
          {messages.length === 0 && chat.snapshot.value.pending.length === 0 && (
            <p class="empty-chat">No messages yet. Say hello.</p>
          )}
          <ol
            class="groups"
            aria-label="Messages"
            onKeyDown={(event) => moveFocus(event, '.message')}
          >
            {groupMessages(messages).map(({ key, day, messages: together }) => {
              const [first] = together;
              if (!first) return null;
              const isMine = actions.isMine(first);
              return (
                <li key={key} class={`group ${isMine ? 'mine' : 'theirs'}`}>
                  {day !== null && <p class="day">{day}</p>}
                  {!isMine && conversation?.group_id != null && (
                    <p class="sender">
                      <Avatar
                        id={first.contact.id}
                        name={getContactName(first.contact)}
                        size="small"
                      />
                      {getContactName(first.contact)}
                    </p>
                  )}
                  {together.map((message) => (
                    <MessageBubble
                      key={message.id}
                      message={message}
                      me={person.identity.id}
                      actions={actions}
                      isPinned={conversation?.pinned_message_id === message.id}
                      isInTabOrder={message.id === (focused.value ?? newest)}
                      onFocus={() => {
                        focused.value = message.id;
                      }}
                    />
                  ))}
                </li>
              );
            })}
          </ol>
          {chat.snapshot.value.pending.length > 0 && (
            <ul class="groups" aria-label="Sending">
              {chat.snapshot.value.pending.map((pending) => (
                <PendingBubble key={pending.key} chat={chat} pending={pending} />
              ))}
            </ul>
          )}
          <div class="list-end" ref={list.end} />
        </div>
      </div>
      {!list.isNearEnd && list.newCount === 0 && (
        <IconButton
          icon="down"
          label="Go to the newest message"
          class="to-end"
          onClick={list.scrollToEnd}
        />
      )}
      {!list.isNearEnd && list.newCount > 0 && (
        <button type="button" class="button to-end new-count" onClick={list.scrollToEnd}>
          {list.newCount === 1 ? '1 new message' : `${list.newCount} new messages`}
        </button>
      )}
      <Announcer messages={messages} isMine={actions.isMine} />
    </div>
  );
}
