import type { Attachment, Message } from '../../../client/src/index.ts';
import { type Chat, emptyDraft } from '../data/chat.ts';
import type { Person } from '../data/person.ts';

export interface MessageActions {
  isMine(message: Message): boolean;
  isPinned(message: Message): boolean;
  /** Adds the person's own reaction of that name, or takes it back. */
  react(message: Message, name: string): void;
  togglePin(message: Message): void;
  edit(message: Message): void;
  save(message: Message, text: string, attachments: readonly Attachment[]): Promise<boolean>;
  giveUpEdit(): void;
  askToDelete(message: Message): void;
  remove(message: Message): void;
}

interface Page {
  askToDelete(message: Message): void;
  focusText(): void;
}

/** What can be done with a message, in the name of that person. */
export function messageActions(person: Person, chat: Chat, page: Page): MessageActions {
  const { client, who } = person;
  const isPinned = (message: Message) =>
    chat.shown.peek().conversation?.pinned_message_id === message.id;
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
      chat.draft.value = { text, attachments, edits: message };
      page.focusText();
    },
    save: ({ id }, text, attachments) =>
      person.attempt('The message was not changed.', () =>
        client.messages.update({ message_id: id, message: text, attachments: [...attachments] }),
      ),
    giveUpEdit: () => {
      chat.draft.value = emptyDraft;
      page.focusText();
    },
    askToDelete: page.askToDelete,
    remove: ({ id }) => {
      person.attempt('The message was not deleted.', () =>
        client.messages.delete({ message_id: id }),
      );
    },
  };
}
