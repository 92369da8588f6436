import { batch, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type {
  Attachment,
  ConversationSnapshot,
  LiveInbox,
  Message,
  OpenConversation,
} from '../../../client/src/index.ts';
import { stored } from './stored.ts';

/** A message on its way: it is shown until the API has it. */
export interface Pending {
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
  readonly edits: Message | null;
}

/** A conversation that somebody has open. */
export interface Chat {
  readonly id: string;
  readonly shown: ReadonlySignal<ConversationSnapshot>;
  readonly pending: ReadonlySignal<readonly Pending[]>;
  readonly draft: Signal<Draft>;
  readonly store: OpenConversation;
  send(text: string, attachments: readonly Attachment[]): void;
  sendAgain(pending: Pending): void;
  drop(pending: Pending): void;
  close(): void;
}

export const emptyDraft: Draft = { text: '', attachments: [], edits: null };

/** Opens a conversation, in the name of `me`: what is shown is read from then on. */
export function openChat(inbox: LiveInbox, id: string, me: string): Chat {
  const store = inbox.open(id);
  const [shown, endShown] = stored(store);
  const pending = signal<readonly Pending[]>([]);
  const draft = signal(emptyDraft);

  const put = (one: Pending) => {
    const others = pending.peek().filter(({ key }) => key !== one.key);
    pending.value = [...others, one];
  };
  const drop = ({ key }: Pending) => {
    pending.value = pending.peek().filter((one) => one.key !== key);
  };
  // One after the other: they arrive in the order in which they were written.
  let lane: Promise<void> = Promise.resolve();
  const send = (one: Pending) => {
    put({ ...one, error: null });
    lane = lane.then(() => sendNow(one));
  };
  const sendNow = async (one: Pending) => {
    try {
      const attachments = [...one.attachments];
      const message = { message: one.text, ...(attachments.length > 0 && { attachments }) };
      await store.send(message, { idempotencyKey: one.key });
      drop(one);
    } catch (error) {
      put({ ...one, error });
    }
  };

  let lastRead: string | undefined;
  const endReading = effect(() => {
    const [newest] = shown.value.messages;
    if (shown.value.status !== 'ready' || !newest || newest.id === lastRead) return;
    const isFirst = lastRead === undefined;
    lastRead = newest.id;
    // Opening has marked what it loaded.
    if (!isFirst && newest.contact.id !== me) store.markRead().catch(() => {});
  });

  return {
    id,
    shown,
    pending,
    draft,
    store,
    send: (text, attachments) => {
      send({ key: crypto.randomUUID(), text, attachments, error: null });
    },
    sendAgain: send,
    drop,
    close: () => {
      batch(() => {
        endReading();
        endShown();
      });
      store.close();
    },
  };
}
