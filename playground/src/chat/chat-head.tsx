import { useSignal } from '@preact/signals';
import type { Conversation, UpdateConversation } from '../../../client/src/index.ts';
import { getConversationName } from '../inbox/display-names.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import type { Chat } from '../state/chat.ts';
import type { Person } from '../state/person.ts';
import { ChatActions } from './chat-actions.tsx';

interface Props {
  person: Person;
  chat: Chat;
  /** Null until loaded. */
  conversation: Conversation | null;
}

/** The conversation's participants, and the user's flags. */
export function ChatHead({ person, chat, conversation }: Props) {
  const isDeleting = useSignal(false);
  const { client } = person;
  const update = (fields: UpdateConversation) => {
    person.attempt('The conversation was not changed.', () =>
      client.conversations.update({
        conversation_id: chat.id,
        ...fields,
        expand: ['contact', 'last_message', 'unread_count'],
      }),
    );
  };
  const name = conversation ? getConversationName(conversation) : '';
  return (
    <header class="chat-head">
      <IconButton icon="back" label="Back to the list" class="back" onClick={person.closeChat} />
      {conversation && (
        <>
          <Avatar
            id={conversation.contact_id ?? conversation.group_id ?? conversation.id}
            name={name}
            group={conversation.group_id !== null}
          />
          <div class="chat-title">
            <h2>{name}</h2>
            <p class="muted">
              {conversation.group_id === null
                ? 'Direct conversation'
                : `All members of ${conversation.group_id}`}
            </p>
          </div>
          <ChatActions
            conversation={conversation}
            update={update}
            onDelete={() => {
              isDeleting.value = true;
            }}
          />
        </>
      )}
      {isDeleting.value && (
        <Confirm
          title="Delete this conversation?"
          text="This deletes the conversation and its messages for all participants, permanently. To hide it, archive it instead."
          action="Delete for all"
          onConfirm={() => {
            person
              .attempt('The conversation was not deleted.', () =>
                client.conversations.delete({ conversation_id: chat.id }),
              )
              .then((isDone) => isDone && person.closeChat());
          }}
          onClose={() => {
            isDeleting.value = false;
          }}
        />
      )}
    </header>
  );
}
