import type { Attachment, Message } from '../../../client/src/index.ts';
import { type Chat, type Draft, emptyDraft } from '../state/chat.ts';
import { conversationFields } from '../state/conversation-fields.ts';
import type { Person } from '../state/person.ts';

export interface MessageActions {
  isMine(message: Message): boolean;
  isPinned(message: Message): boolean;
  react(message: Message, name: string): void;
  togglePin(message: Message): void;
  reply(message: Message): void;
  /** Marks the message and all later ones as unread, and returns to the list. */
  markUnread(message: Message): void;
  edit(message: Message): void;
  save(message: Message, text: string, attachments: readonly Attachment[]): Promise<boolean>;
  /** Cancels an edit or a reply. Keeps the text of the reply in the draft. */
  cancel(): void;
  confirmDelete(message: Message): void;
  report(message: Message): void;
  remove(message: Message): void;
  /** Opens the file in a new tab if `isDisplayed` is true; otherwise downloads it. */
  openFile(attachmentId: string, isDisplayed: boolean): void;
  loadImage(attachmentId: string): Promise<string>;
}

interface Page {
  confirmDelete(message: Message): void;
  report(message: Message): void;
  focusText(): void;
}

export function createMessageActions(person: Person, chat: Chat, page: Page): MessageActions {
  const { client, identity } = person;
  const isPinned = (message: Message) =>
    chat.snapshot.peek().conversation?.pinned_message_id === message.id;
  return {
    isMine: ({ contact }) => contact.id === identity.id,
    isPinned,
    react: ({ id, reactions }, name) => {
      const reactors = reactions.find((one) => name in one)?.[name] ?? [];
      const mine = reactors.includes(identity.id) ? [] : [identity.id];
      person.attempt('The reaction was not changed.', () =>
        client.messages.update({ message_id: id, reactions: { [name]: mine } }),
      );
    },
    togglePin: (message) => {
      person.attempt('The pin was not changed.', () =>
        client.conversations.update({
          conversation_id: chat.id,
          pinned_message_id: isPinned(message) ? null : message.id,
          expand: conversationFields,
        }),
      );
    },
    reply: (message) => {
      chat.draft.value = { ...getUnsent(chat), quotedMessage: message };
      page.focusText();
    },
    markUnread: ({ id }) => {
      person.attemptOther('The messages were not marked as unread.', () =>
        chat.store.markUnread(id),
      );
      person.closeChat();
    },
    edit: (message) => {
      const { message: text, attachments } = message;
      chat.draft.value = { ...emptyDraft, text, attachments, editedMessage: message };
      page.focusText();
    },
    save: ({ id }, text, attachments) =>
      person.attempt('The message was not changed.', () =>
        client.messages.update({ message_id: id, message: text, attachments: [...attachments] }),
      ),
    cancel: () => {
      chat.draft.value = getUnsent(chat);
      page.focusText();
    },
    confirmDelete: page.confirmDelete,
    report: page.report,
    remove: ({ id }) => {
      person.attempt('The message was not deleted.', () =>
        client.messages.delete({ message_id: id }),
      );
    },
    ...createFileActions(person),
  };
}

const createFileActions = ({
  client,
  attemptOther,
}: Person): Pick<MessageActions, 'openFile' | 'loadImage'> => ({
  openFile: (id, isDisplayed) => {
    attemptOther('The file was not opened.', async () => {
      const { url } = await client.attachments.retrieve({ attachment_id: id });
      followLink(url, isDisplayed ? '_blank' : '_self');
    });
  },
  loadImage: async (id) => {
    const { url } = await client.attachments.retrieve({ attachment_id: id, size: 320 });
    return url;
  },
});

/** Returns the draft without its quote. During an edit, returns an empty draft. */
function getUnsent(chat: Chat): Draft {
  const draft = chat.draft.peek();
  return draft.editedMessage ? emptyDraft : { ...draft, quotedMessage: null };
}

const followLink = (href: string, target: string): void =>
  Object.assign(document.createElement('a'), { href, target, rel: 'noreferrer' }).click();
