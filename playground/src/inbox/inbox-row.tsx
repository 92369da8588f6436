import type { Conversation } from '../../../client/src/index.ts';
import { Avatar } from '../parts/avatar.tsx';
import { formatCount, formatTimestamp, toIsoString } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import type { Person } from '../state/person.ts';
import { getContactName, getConversationName } from './display-names.ts';

interface Props {
  person: Person;
  conversation: Conversation;
}

export function InboxRow({ person, conversation }: Props) {
  const {
    id,
    group_id,
    last_message,
    is_pinned,
    is_muted,
    mentioned,
    unread_count = 0,
  } = conversation;
  const at = conversation.last_active_at ?? conversation.created_at;
  const isOpen = person.chat.value?.id === id;
  const name = getConversationName(conversation, person);
  return (
    <li>
      <button
        type="button"
        class="row"
        data-unread={unread_count > 0 && !isOpen}
        aria-current={isOpen}
        onClick={() => person.open(id)}
      >
        <Avatar
          id={conversation.contact_id ?? group_id ?? id}
          name={name}
          group={group_id !== null}
        />
        <span class="row-text">
          <span class="row-line">
            <span class="row-name">{name}</span>
            <time class="row-time" dateTime={toIsoString(at)}>
              {formatTimestamp(at)}
            </time>
          </span>
          <span class="row-line">
            <span class="row-preview">
              {last_message ? preview(conversation, person.identity.id) : 'No messages yet'}
            </span>
            {is_pinned && <Mark name="pin" label="Pinned" />}
            {is_muted && <Mark name="muted" label="Muted" />}
            {mentioned && !isOpen && (
              <span class="badge" title="You were mentioned">
                @<span class="unseen">You were mentioned</span>
              </span>
            )}
            {unread_count > 0 && !isOpen && (
              <span class={`badge ${is_muted ? 'quiet' : ''}`}>
                {unread_count >= 100 ? '99+' : unread_count}
                <span class="unseen"> {formatCount(unread_count, 'unread message').slice(2)}</span>
              </span>
            )}
          </span>
        </span>
      </button>
    </li>
  );
}

const Mark = ({ name, label }: { name: 'pin' | 'muted'; label: string }) => (
  <span class="row-mark" title={label}>
    <Icon name={name} />
    <span class="unseen">{label}</span>
  </span>
);

function preview({ last_message, group_id }: Conversation, me: string): string {
  if (!last_message) return '';
  const { contact, message, attachments } = last_message;
  const sender =
    contact.id === me ? 'You: ' : group_id === null ? '' : `${getContactName(contact)}: `;
  const files = attachments.length > 0 ? [formatCount(attachments.length, 'attachment')] : [];
  return sender + [...files, ...(message ? [message] : [])].join(' · ');
}
