import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type {
  Attachment,
  ConversationSnapshot,
  LiveInbox,
  Message,
  OpenConversation,
} from '../../../client/src/index.ts';
import { createStoreSignal } from './store-signal.ts';

export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Files to upload with a new message. */
  readonly files: readonly File[];
  /** The message that the draft edits; null for a new message. */
  readonly editedMessage: Message | null;
  /** The message to which the draft replies, if any. */
  readonly quotedMessage: Message | null;
}

export interface Chat {
  readonly id: string;
  readonly snapshot: ReadonlySignal<ConversationSnapshot>;
  readonly draft: Signal<Draft>;
  readonly store: OpenConversation;
  /** Adds files to the draft of a new message. An edit cannot add files. */
  addFiles(files: readonly File[]): void;
  /** Sends the draft. `@bob` in the text mentions the contact with the id `bob`. */
  send(draft: Draft): void;
  close(): void;
}

export const emptyDraft: Draft = {
  text: '',
  attachments: [],
  files: [],
  editedMessage: null,
  quotedMessage: null,
};

/** Returns the draft's text; an empty string if the text contains only white space. */
export const toText = ({ text }: Draft): string => (text.trim() === '' ? '' : text);

const maxMentions = 25;

const findMentions = (text: string): string[] => {
  const ids = Array.from(text.matchAll(mentionPattern), ([, id = '']) => id);
  return [...new Set(ids)].slice(0, maxMentions);
};

/**
 * Matches an at sign at the start of a word, followed by an id that does not end with punctuation.
 */
export const mentionPattern = /(?<![^\s(])@([\w.:+=-]{0,127}\w)/g;

export function openChat(inbox: LiveInbox, id: string): Chat {
  const store = inbox.open(id);
  const [shown, endShown] = createStoreSignal(store);
  const shownDraft = signal(emptyDraft);

  return {
    id,
    snapshot: shown,
    draft: shownDraft,
    store,
    addFiles: (files) => {
      const draft = shownDraft.peek();
      if (draft.editedMessage) return;
      shownDraft.value = { ...draft, files: [...draft.files, ...files] };
    },
    // If sending fails, the snapshot shows the message as failed.
    send: (draft) => {
      const { text, attachments, files, quotedMessage } = draft;
      const mentions = findMentions(text);
      store.send({
        message: toText(draft),
        attachments: [...attachments],
        files,
        ...(quotedMessage && { reply_to_id: quotedMessage.id }),
        ...(mentions.length > 0 && { mentions }),
      });
    },
    close: () => {
      endShown();
      store.close();
    },
  };
}
