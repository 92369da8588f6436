import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type {
  Attachment,
  ConversationSnapshot,
  LiveInbox,
  Message,
  OpenConversation,
} from '../../../client/src/index.ts';
import { createStoreSignal } from './store-signal.ts';

/** The text and attachments of the composer. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The edited message; null for a new one. */
  readonly editedMessage: Message | null;
}

/** An open conversation. */
export interface Chat {
  readonly id: string;
  readonly snapshot: ReadonlySignal<ConversationSnapshot>;
  readonly draft: Signal<Draft>;
  readonly store: OpenConversation;
  send(text: string, attachments: readonly Attachment[]): void;
  close(): void;
}

export const emptyDraft: Draft = { text: '', attachments: [], editedMessage: null };

/** Opens a conversation. */
export function openChat(inbox: LiveInbox, id: string): Chat {
  const store = inbox.open(id);
  const [shown, endShown] = createStoreSignal(store);
  const draft = signal(emptyDraft);

  return {
    id,
    snapshot: shown,
    draft,
    store,
    // The snapshot contains a failure.
    send: (text, attachments) => {
      store.send({ message: text, attachments: [...attachments] });
    },
    close: () => {
      endShown();
      store.close();
    },
  };
}
