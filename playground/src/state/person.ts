import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import {
  type Client,
  type Conversation,
  createClient,
  type Deleted,
  type InboxSnapshot,
  type ListConversationsParams,
  type LiveInbox,
  live,
  type Message,
} from '../../../client/src/index.ts';
import { toVariableName } from '../network/curl-command.ts';
import { createNetwork, type Network } from '../network/network.ts';
import type { Side } from '../network/traffic.ts';
import { type Chat, openChat } from './chat.ts';
import type { Identity } from './identity.ts';
import { createOutageTracker, type Outage } from './outage.ts';
import { createStoreSignal } from './store-signal.ts';
import { createTokenSource } from './token-source.ts';

export type Filter = 'inbox' | 'pinned' | 'muted' | 'archived';

const listParams: Record<Filter, ListConversationsParams> = {
  inbox: { exclude: ['archived'] },
  pinned: { pinned: true },
  muted: { muted: true },
  archived: { archived: true },
};

/** Something that went wrong, and is to be said. */
export interface FailureNote {
  readonly number: number;
  /** What did not happen: `The message was not edited.` */
  readonly title: string;
  readonly error: unknown;
}

/** Somebody who uses the API on one side of the page. */
export interface Person {
  /** No two have the same, nor has the same one twice. */
  readonly number: number;
  readonly side: Side;
  readonly identity: Identity;
  /** Of the shell, that holds the token in commands. */
  readonly variable: string;
  readonly client: Client;
  readonly network: Network;
  readonly inbox: ReadonlySignal<InboxSnapshot>;
  readonly filter: ReadonlySignal<Filter>;
  readonly tab: Signal<'chats' | 'businesses'>;
  readonly chat: ReadonlySignal<Chat | null>;
  readonly notes: ReadonlySignal<readonly FailureNote[]>;
  readonly outage: ReadonlySignal<Outage | null>;
  setFilter(filter: Filter): void;
  loadMore(): Promise<void>;
  reconnect(): void;
  open(conversationId: string): void;
  /** Back to the list. */
  closeChat(): void;
  setNetwork(isUp: boolean): void;
  dismissOutage(): void;
  /** Does something, shows what it gave at once, and says so when it fails. True if it did not. */
  attempt<Result extends Message | Conversation | Deleted>(
    what: string,
    action: () => Promise<Result>,
  ): Promise<boolean>;
  dismiss(note: FailureNote): void;
  close(): void;
}

let personCount = 0;
let noteCount = 0;

export function createPerson(side: Side, who: Identity): Person {
  const variable = toVariableName(who.id);
  const outageTracker = createOutageTracker();
  const network = createNetwork(side, variable, outageTracker.applyReply);
  const client = createClient({
    url: location.origin,
    token: createTokenSource(who, network.unloggedFetch),
    fetch: network.fetch,
  });
  const filter = signal<Filter>('inbox');
  const notes = signal<readonly FailureNote[]>([]);
  const chat = signal<Chat | null>(null);
  const main = live(client, { conversations: listParams.inbox, WebSocket: network.WebSocket });
  /** The list that is shown, where that is another than the inbox. */
  const other = signal<LiveInbox | null>(null);
  const inbox = signal(main.getSnapshot());
  const endInbox = effect(() => {
    const [shown, end] = createStoreSignal(other.value ?? main);
    const endCopying = effect(() => {
      inbox.value = shown.value;
    });
    return () => {
      endCopying();
      end();
    };
  });
  const all = () => {
    const shown = other.peek();
    return shown ? [main, shown] : [main];
  };

  personCount += 1;
  const person: Person = {
    number: personCount,
    side,
    identity: who,
    variable,
    client,
    network,
    inbox,
    filter,
    tab: signal('chats'),
    chat,
    notes,
    outage: outageTracker.repair,
    setFilter: (next) => {
      if (next === filter.peek()) return;
      const last = other.peek();
      const conversations = listParams[next];
      // Both hear the same: one of them is shown among the requests.
      other.value =
        next === 'inbox'
          ? null
          : live(client, { conversations, WebSocket: network.UnloggedWebSocket });
      filter.value = next;
      last?.close();
    },
    loadMore: () => (other.peek() ?? main).loadMore(),
    reconnect: () => {
      for (const one of all()) one.reconnect();
    },
    open: (id) => {
      if (chat.peek()?.id === id) return;
      const last = chat.peek();
      chat.value = openChat(main, id);
      last?.close();
    },
    closeChat: () => {
      const last = chat.peek();
      chat.value = null;
      last?.close();
    },
    setNetwork: (isUp) => {
      if (isUp === network.isUp.peek()) return;
      if (isUp) {
        network.restore();
        outageTracker.restore();
        person.reconnect();
      } else {
        outageTracker.cut();
        network.cut();
      }
    },
    dismissOutage: outageTracker.dismiss,
    attempt: async (what, action) => {
      try {
        const call = action();
        await Promise.all(all().map((one) => one.apply(call)));
        return true;
      } catch (error) {
        noteCount += 1;
        notes.value = [...notes.peek(), { number: noteCount, title: what, error }].slice(-3);
        return false;
      }
    },
    dismiss: ({ number }) => {
      notes.value = notes.peek().filter((note) => note.number !== number);
    },
    close: () => {
      person.closeChat();
      endInbox();
      other.peek()?.close();
      main.close();
    },
  };
  return person;
}
