import type { Signal } from '@preact/signals';
import type { Conversation, Message } from '../../../../client/src/index.ts';
import { getContactName } from '../../inbox/display-names.ts';
import { Avatar } from '../../parts/avatar.tsx';
import type { MessageActions } from '../message-actions.ts';
import { MessageBubble } from './message-bubble.tsx';

interface Props {
  /** Messages from one sender, oldest first; not empty. */
  messages: readonly Message[];
  /** Heading of a day's first group; null for later groups. */
  day: string | null;
  conversation: Conversation | null;
  me: string;
  actions: MessageActions;
  /** Id of the message that last had the focus. */
  focused: Signal<string | null>;
  newest: string | undefined;
}

export function MessageGroup({ messages, day, conversation, me, actions, focused, newest }: Props) {
  const [first] = messages;
  if (!first) return null;
  const isMine = actions.isMine(first);
  return (
    <li class={`group ${isMine ? 'mine' : 'theirs'}`}>
      {day !== null && <p class="day">{day}</p>}
      {!isMine && conversation?.group_id != null && (
        <p class="sender">
          <Avatar id={first.contact.id} name={getContactName(first.contact)} size="small" />
          {getContactName(first.contact)}
        </p>
      )}
      {messages.map((message) => (
        <MessageBubble
          key={message.id}
          message={message}
          me={me}
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
}
