import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
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

interface Props {
  person: Person;
  chat: Chat;
  actions: MessageActions;
}

const nearTop = 120;
const nearBottom = 80;

/** What was said, oldest first; it stays at its end while one is there, and loads what is older towards its beginning. */
export function MessageList({ person, chat, actions }: Props) {
  const { messages, hasMore, conversation } = chat.snapshot.value;
  const focused = useSignal<string | null>(null);
  const isAtEnd = useSignal(true);
  const isLoadingOlder = useSignal(false);
  const scroller = useRef<HTMLDivElement>(null);
  const newest = messages[0]?.id;

  // What one has just written is there to see.
  const written = chat.snapshot.value.pending.at(-1)?.key;
  useEffect(() => {
    if (written !== undefined) scroller.current?.scrollTo({ top: 0 });
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
    // The content is laid out from its end: there it is 0, and negative above.
    isAtEnd.value = box.scrollTop > -nearBottom;
    if (box.scrollHeight - box.clientHeight + box.scrollTop < nearTop) loadOlder();
  };

  return (
    <div class="messages-box">
      <div class="messages" ref={scroller} onScroll={onScroll}>
        <div class="messages-inner">
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
            <p class="empty-chat">Nothing was said yet. Say hello.</p>
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
            <ul class="groups" aria-label="On their way">
              {chat.snapshot.value.pending.map((pending) => (
                <PendingBubble key={pending.key} chat={chat} pending={pending} />
              ))}
            </ul>
          )}
        </div>
      </div>
      {!isAtEnd.value && (
        <IconButton
          icon="down"
          label="To the newest message"
          class="to-end"
          onClick={() => scroller.current?.scrollTo({ top: 0 })}
        />
      )}
      <Announcer messages={messages} isMine={actions.isMine} />
    </div>
  );
}
