import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type {
  Attachment,
  ConversationSnapshot,
  LiveInbox,
  Message,
  OpenConversation,
} from '../../../client/src/index.ts';
import { createStoreSignal } from './store-signal.ts';

/** A message on its way: it is shown until the API has it. */
export interface PendingMessage {
  readonly key: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Null while it is under way. */
  readonly error: unknown;
}

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
  readonly pending: ReadonlySignal<readonly PendingMessage[]>;
  readonly draft: Signal<Draft>;
  readonly store: OpenConversation;
  send(text: string, attachments: readonly Attachment[]): void;
  retry(pending: PendingMessage): void;
  drop(pending: PendingMessage): void;
  close(): void;
}

export const emptyDraft: Draft = { text: '', attachments: [], editedMessage: null };

/** Opens a conversation. */
export function openChat(inbox: LiveInbox, id: string): Chat {
  const store = inbox.open(id);
  const [shown, endShown] = createStoreSignal(store);
  const pending = signal<readonly PendingMessage[]>([]);
  const draft = signal(emptyDraft);

  const put = (one: PendingMessage) => {
    const others = pending.peek().filter(({ key }) => key !== one.key);
    pending.value = [...others, one];
  };
  const drop = ({ key }: PendingMessage) => {
    pending.value = pending.peek().filter((one) => one.key !== key);
  };
  // One after the other: they arrive in the order in which they were written.
  let lane: Promise<void> = Promise.resolve();
  const send = (one: PendingMessage) => {
    put({ ...one, error: null });
    lane = lane.then(() => sendNow(one));
  };
  const sendNow = async (one: PendingMessage) => {
    try {
      const attachments = [...one.attachments];
      const message = { message: one.text, ...(attachments.length > 0 && { attachments }) };
      await store.send(message, { idempotencyKey: one.key });
      drop(one);
    } catch (error) {
      put({ ...one, error });
    }
  };

  return {
    id,
    snapshot: shown,
    pending,
    draft,
    store,
    send: (text, attachments) => {
      send({ key: crypto.randomUUID(), text, attachments, error: null });
    },
    retry: send,
    drop,
    close: () => {
      endShown();
      store.close();
    },
  };
}
