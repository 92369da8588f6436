import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Conversation, Group, UpdateConversation } from '../../../client/src/index.ts';
import { getConversationName } from '../inbox/display-names.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { formatCount } from '../parts/format.ts';
import { IconButton } from '../parts/icon-button.tsx';
import type { Chat } from '../state/chat.ts';
import { conversationFields } from '../state/conversation-fields.ts';
import type { Person } from '../state/person.ts';
import { assign, canAssign } from './assignment.ts';
import { ChatActions } from './chat-actions.tsx';
import { block, getDirectContact, unblock } from './direct-contact.ts';

interface Props {
  person: Person;
  chat: Chat;
  /** Null until loaded. */
  conversation: Conversation | null;
}

export function ChatHead({ person, chat, conversation }: Props) {
  const dialog = useSignal<'block' | 'delete' | null>(null);
  const { client, blockList } = person;
  useEffect(blockList.load, [blockList]);
  const other = conversation ? getDirectContact(conversation, person.identity.id) : null;
  const isBlocking = other === null ? null : (blockList.blocked.value?.has(other) ?? null);
  const update = (fields: UpdateConversation) => {
    person.attempt('The conversation was not changed.', () =>
      client.conversations.update({
        conversation_id: chat.id,
        ...fields,
        expand: conversationFields,
      }),
    );
  };
  const group = person.groups.value.groups.find(({ id }) => id === conversation?.group_id);
  const name = conversation ? getConversationName(conversation, person) : '';
  const onClose = () => {
    dialog.value = null;
  };
  return (
    <header class="chat-head">
      <IconButton icon="back" label="Back to the list" class="back" onClick={person.closeChat} />
      {conversation && (
        <>
          <Title conversation={conversation} name={name} group={group} />
          <ChatActions
            conversation={conversation}
            update={update}
            onAssign={canAssign(person, conversation) ? () => assign(person, chat.id) : undefined}
            onShowGroup={group && (() => showGroup(person, group))}
            isBlocking={isBlocking}
            onBlock={() => {
              if (isBlocking && other !== null) unblock(person, other);
              else dialog.value = 'block';
            }}
            onDelete={() => {
              dialog.value = 'delete';
            }}
          />
        </>
      )}
      {dialog.value === 'block' && other !== null && (
        <BlockDialog person={person} contactId={other} name={name} onClose={onClose} />
      )}
      {dialog.value === 'delete' && <DeleteDialog person={person} chat={chat} onClose={onClose} />}
    </header>
  );
}

const showGroup = (person: Person, { id }: Group) => {
  person.shownGroupId.value = id;
};

function describeParticipants(
  { group_id, business, assigned_to }: Conversation,
  group: Group | undefined,
): string {
  if (group_id === null) return 'Direct conversation';
  if (group) return formatCount(group.member_count, 'member');
  const members = business ? `Staff of ${business.title}` : `All members of ${group_id}`;
  return assigned_to ? `${members} · assigned to ${assigned_to}` : members;
}

interface TitleProps {
  conversation: Conversation;
  name: string;
  group: Group | undefined;
}

const Title = ({ conversation, name, group }: TitleProps) => (
  <>
    <Avatar
      id={conversation.contact_id ?? conversation.group_id ?? conversation.id}
      name={name}
      group={conversation.group_id !== null}
    />
    <div class="chat-title">
      <h2>{name}</h2>
      <p class="muted">{describeParticipants(conversation, group)}</p>
    </div>
  </>
);

const BlockDialog = ({
  person,
  contactId,
  name,
  onClose,
}: Pick<Props, 'person'> & { contactId: string; name: string; onClose: () => void }) => (
  <Confirm
    title={`Block ${name}?`}
    text="From now on, neither of you can write in your direct conversations. Both can read them, and the other user is not notified."
    action="Block"
    onConfirm={() => {
      block(person, contactId);
    }}
    onClose={onClose}
  />
);

const DeleteDialog = ({
  person,
  chat,
  onClose,
}: Pick<Props, 'person' | 'chat'> & { onClose: () => void }) => (
  <Confirm
    title="Delete this conversation?"
    text="This deletes the conversation and its messages for all participants, permanently. To hide it, archive it instead."
    action="Delete for all"
    onConfirm={() => {
      person
        .attempt('The conversation was not deleted.', () =>
          person.client.conversations.delete({ conversation_id: chat.id }),
        )
        .then((isDone) => isDone && person.closeChat());
    }}
    onClose={onClose}
  />
);
