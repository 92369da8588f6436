import { useSignal } from '@preact/signals';
import type { Message } from '../../../../client/src/index.ts';
import { getContactName } from '../../inbox/display-names.ts';
import { formatTime, toIsoString } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import type { MessageActions } from '../message-actions.ts';
import { Attachments } from './attachments.tsx';
import { MessageText } from './message-text.tsx';
import { MessageTools } from './message-tools.tsx';
import { Quote } from './quote.tsx';
import { ReactionPicker } from './reaction-picker.tsx';
import { Reactions } from './reactions.tsx';

interface Props {
  message: Message;
  /** The user's contact id. */
  me: string;
  actions: MessageActions;
  isPinned: boolean;
  /** Whether the Tab key reaches this message. The arrow keys reach the other messages. */
  isInTabOrder: boolean;
  onFocus: () => void;
}

export function MessageBubble({ message, me, actions, isPinned, isInTabOrder, onFocus }: Props) {
  const isPicking = useSignal(false);
  const isMine = actions.isMine(message);
  const pick = () => {
    isPicking.value = true;
  };
  return (
    <article
      class="message"
      data-message={message.id}
      data-pinned={isPinned}
      tabIndex={isInTabOrder ? 0 : -1}
      aria-label={`${isMine ? 'You' : getContactName(message.contact)}, ${formatTime(message.created_at)}`}
      onKeyDown={createKeyHandler(message, actions, pick)}
      onFocusCapture={onFocus}
    >
      <div class="bubble">
        <Quote message={message} />
        <Attachments message={message} actions={actions} />
        {message.message && <MessageText text={message.message} mentions={message.mentions} />}
        <Meta message={message} isMine={isMine} isPinned={isPinned} />
      </div>
      <Reactions message={message} me={me} onReact={(name) => actions.react(message, name)} />
      <MessageTools
        isMine={isMine}
        isPinned={isPinned}
        onReact={pick}
        onReply={() => actions.reply(message)}
        onUnread={() => actions.markUnread(message)}
        onEdit={() => actions.edit(message)}
        onPin={() => actions.togglePin(message)}
        onDelete={() => actions.confirmDelete(message)}
        onReport={() => actions.report(message)}
      />
      {isPicking.value && (
        <ReactionPicker
          onPick={(name) => actions.react(message, name)}
          onClose={() => {
            isPicking.value = false;
          }}
        />
      )}
    </article>
  );
}

function createKeyHandler(message: Message, actions: MessageActions, pick: () => void) {
  const isMine = actions.isMine(message);
  const keys: Record<string, (() => void) | undefined> = {
    r: pick,
    q: () => actions.reply(message),
    p: () => actions.togglePin(message),
    ...(isMine && {
      e: () => actions.edit(message),
      Delete: () => actions.confirmDelete(message),
    }),
    ...(!isMine && { u: () => actions.markUnread(message) }),
  };
  return (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
}

const Tick = ({ readAt }: { readAt: number | null }) => (
  <span
    class="tick"
    data-read={readAt !== null}
    title={readAt === null ? 'Sent' : `Read at ${formatTime(readAt)}`}
  >
    <Icon name={readAt === null ? 'check' : 'twice'} />
    <span class="unseen">{readAt === null ? 'Sent' : 'Read'}</span>
  </span>
);

const Meta = ({
  message,
  isMine,
  isPinned,
}: Pick<Props, 'message' | 'isPinned'> & { isMine: boolean }) => (
  <p class="meta">
    {isPinned && (
      <span class="meta-mark" title="Pinned">
        <Icon name="pin" />
        <span class="unseen">Pinned</span>
      </span>
    )}
    {message.updated_at !== null && <span>edited</span>}
    <time dateTime={toIsoString(message.created_at)}>{formatTime(message.created_at)}</time>
    {isMine && <Tick readAt={message.read_at} />}
  </p>
);
