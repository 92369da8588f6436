import type { Attachment, Message } from '../../../client/src/index.ts';
import { type Chat, emptyDraft } from '../state/chat.ts';
import type { Person } from '../state/person.ts';

export interface MessageActions {
  isMine(message: Message): boolean;
  isPinned(message: Message): boolean;
  /** Adds or removes the user's reaction of that name. */
  react(message: Message, name: string): void;
  togglePin(message: Message): void;
  edit(message: Message): void;
  save(message: Message, text: string, attachments: readonly Attachment[]): Promise<boolean>;
  cancelEdit(): void;
  confirmDelete(message: Message): void;
  remove(message: Message): void;
}

interface Page {
  confirmDelete(message: Message): void;
  focusText(): void;
}

/** Returns the actions of the user on a message. */
export function createMessageActions(person: Person, chat: Chat, page: Page): MessageActions {
  const { client, identity: who } = person;
  const isPinned = (message: Message) =>
    chat.snapshot.peek().conversation?.pinned_message_id === message.id;
  return {
    isMine: ({ contact }) => contact.id === who.id,
    isPinned,
    react: ({ id, reactions }, name) => {
      const reactors = reactions.find((one) => name in one)?.[name] ?? [];
      const mine = reactors.includes(who.id) ? [] : [who.id];
      person.attempt('The reaction was not changed.', () =>
        client.messages.update({ message_id: id, reactions: { [name]: mine } }),
      );
    },
    togglePin: (message) => {
      person.attempt('The pin was not changed.', () =>
        client.conversations.update({
          conversation_id: chat.id,
          pinned_message_id: isPinned(message) ? null : message.id,
          expand: ['contact', 'last_message', 'unread_count'],
        }),
      );
    },
    edit: (message) => {
      const { message: text, attachments } = message;
      chat.draft.value = { text, attachments, editedMessage: message };
      page.focusText();
    },
    save: ({ id }, text, attachments) =>
      person.attempt('The message was not changed.', () =>
        client.messages.update({ message_id: id, message: text, attachments: [...attachments] }),
      ),
    cancelEdit: () => {
      chat.draft.value = emptyDraft;
      page.focusText();
    },
    confirmDelete: page.confirmDelete,
    remove: ({ id }) => {
      person.attempt('The message was not deleted.', () =>
        client.messages.delete({ message_id: id }),
      );
    },
  };
}
