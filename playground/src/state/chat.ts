import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type {
  Attachment,
  ConversationSnapshot,
  LiveInbox,
  Message,
  OpenConversation,
} from '../../../client/src/index.ts';
import { createStoreSignal } from './store-signal.ts';

/** What is being written. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The message that is being changed; null for a new one. */
  readonly editedMessage: Message | null;
}

/** A conversation that somebody has open. */
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
    // A failure shows in the snapshot.
    send: (text, attachments) => {
      store.send({ message: text, attachments: [...attachments] });
    },
    close: () => {
      endShown();
      store.close();
    },
  };
}
